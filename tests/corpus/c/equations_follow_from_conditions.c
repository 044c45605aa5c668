// expect: true
// That y is 2 follows from what x was before the first loop.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);

int main(void) {
    unsigned q = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), i = 0, w = 0;
    if (q != 1) abort();
    unsigned x = q;
    while (__VERIFIER_nondet_uint()) {
    }
    if (x + y != 3) abort();
    while (__VERIFIER_nondet_uint()) {
        i += y;
        w += 2 * y;
    }
    if (w != 2 * i) reach_error();
    return 0;
}
