// expect: true
// What does not fit is lost, and said; what fits is not. The operands may have other types than the result.
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), sum;
    _Bool lost = __builtin_add_overflow(a, b, &sum);
    if (lost != ((long long)a + b != sum)) reach_error();
    unsigned char c = __VERIFIER_nondet_uchar(), d = __VERIFIER_nondet_uchar(), difference;
    if (__builtin_sub_overflow(c, d, &difference) != (c < d)) reach_error();
    if (__builtin_mul_overflow_p(c, d, (signed char)0) != (c * d > 127)) reach_error();
    unsigned zero;
    if (__builtin_add_overflow(-1, 1u, &zero) || zero != 0) reach_error();
    unsigned long long product;
    if (!__builtin_umulll_overflow(~0ull, ~0ull, &product) || product != 1) reach_error();
    return 0;
}
