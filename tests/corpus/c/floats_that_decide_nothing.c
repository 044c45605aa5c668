// expect: false
// What the arithmetic gives is not modelled, but the error does not depend on it.
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    double d = 1.5;
    d = d * 2;
    if (__VERIFIER_nondet_bool())
        reach_error();
    return d > 2;
}
