// expect: unknown
// Where an `int` is passed, there is no `double`.
extern void reach_error(void);
static int f(double x) { return x == 0; }
int main(void) {
    if (((int (*)(int))f)(0)) reach_error();
    return 0;
}
