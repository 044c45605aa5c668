// expect: true
extern int x;
extern const int fixed;
static int mine;
extern void f(void);
extern void reach_error(void);
int main(void) {
    int old = fixed;
    mine = 1;
    x = 1;
    if (x != 1) reach_error();
    f();
    if (mine != 1 || fixed != old) reach_error();
    x = 3;
    if (x != 3) reach_error();
    return 0;
}
