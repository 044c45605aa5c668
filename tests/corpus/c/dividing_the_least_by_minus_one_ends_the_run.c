// expect: true
signed char __VERIFIER_nondet_schar(void);
int main(void) {
    int least = -2147483647 - 1, d = __VERIFIER_nondet_schar();
    if (d == -1 && least / d) reach_error();
    return 0;
}
