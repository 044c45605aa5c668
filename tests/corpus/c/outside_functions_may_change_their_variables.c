// expect: unknown
extern int x;
extern void f(void);
extern void reach_error(void);
int main(void) {
    x = 1;
    f();
    if (x == 2) reach_error();
    return 0;
}
