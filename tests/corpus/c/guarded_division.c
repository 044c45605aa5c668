// expect: true
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int d = __VERIFIER_nondet_bool();
    if (d != 0 && 10 / d != 10) reach_error();
    return 0;
}
