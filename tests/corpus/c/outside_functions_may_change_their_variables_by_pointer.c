// expect: unknown
extern int x;
extern void f(void);
extern void reach_error(void);
int main(void) {
    int *p = &x;
    x = 1;
    f();
    if (*p == 2) reach_error();
    return 0;
}
