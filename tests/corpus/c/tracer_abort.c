// expect: false property=reach-error
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int x = __VERIFIER_nondet_bool();
    _TRACER_abort(x == 1);
    return 0;
}
