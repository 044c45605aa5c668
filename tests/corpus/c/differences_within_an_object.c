// expect: true
// How far apart two places of one object are is known, also as numbers.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[8];
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 7) return 0;
    unsigned long from = (unsigned long)a, to = (unsigned long)&a[i];
    if (to - from != 4 * (unsigned long)i || to < from || (from | 3) != from + 3) reach_error();
    return 0;
}
