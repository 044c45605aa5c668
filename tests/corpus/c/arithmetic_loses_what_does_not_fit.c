// expect: false
// The sum fits a long long, but not the place that it is stored to.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int sum;
    if (__builtin_add_overflow(__VERIFIER_nondet_int(), 1LL, &sum)) reach_error();
    return 0;
}
