// expect: unknown
// Literals of one text may share their place, however their addresses are compared.
extern void reach_error(void);
int main(void) {
    const char *p = "abc", *q = "abc";
    if (p <= q && q <= p) reach_error();
    return 0;
}
