// expect: true
// f returns for 5 only, so the first loop is never reached.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);

unsigned f(unsigned x) {
    if (x != 5) abort();
    if (__VERIFIER_nondet_uint()) return f(x);
    return x;
}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), i = 0, w = 0;
    f(__VERIFIER_nondet_uint());
    if (__VERIFIER_nondet_uint()) {
        if (x != 3) abort();
        f(x);
        while (__VERIFIER_nondet_uint()) {
            w += 2;
            i++;
        }
        i = 0;
        w = 0;
    }
    if (w != 2 * i) reach_error();
    return 0;
}
