// expect: true
// No number doubled is odd: the loop is never reached, and what is known there is of no use.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);

int main(void) {
    unsigned i = 0, w = 0, x = __VERIFIER_nondet_uint();
    if (2 * x != 255) abort();
    while (__VERIFIER_nondet_uint()) {
        i++;
        w += 2;
    }
    if (w != 2 * i) reach_error();
    return 0;
}
