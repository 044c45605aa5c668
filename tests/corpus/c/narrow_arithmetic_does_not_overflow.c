// expect: true property=no-overflow
// The sum is computed as int; that the result is cut is no overflow.
signed char __VERIFIER_nondet_schar(void);
int main(void) {
    signed char a = __VERIFIER_nondet_schar();
    a++;
    signed char b = a * 2;
    unsigned u = 0;
    u = u - 1;
    return b;
}
