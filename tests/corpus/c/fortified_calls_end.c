// expect: false label=ERROR
// A call that would write beyond the size that it is told ends the run; others go on.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char small[4];
    unsigned n = __VERIFIER_nondet_int();
    if (n > 8) return 0;
    __builtin___memset_chk(small, 0, n, sizeof small);
    if (n == 4) goto ERROR;
    return 0;
ERROR:
    return 1;
}
