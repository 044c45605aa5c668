// expect: true
// What <ctype.h> of glibc makes of isdigit(c): a look at a table.
extern const unsigned short **__ctype_b_loc(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int c = __VERIFIER_nondet_int();
    if (c < -128 || c > 255) return 0;
    if (((*__ctype_b_loc())[c] & 2048) && (c < '0' || c > '9')) reach_error();
    return 0;
}
