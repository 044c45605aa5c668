// expect: false property=division-by-zero
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int d = __VERIFIER_nondet_bool();
    return 10 / d;
}
