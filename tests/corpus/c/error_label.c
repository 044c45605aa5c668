// expect: false property=ERROR
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    if (__VERIFIER_nondet_bool()) goto ERROR;
    return 0;
ERROR:
    return 1;
}
