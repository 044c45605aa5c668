// expect: unknown
// `y` is as volatile as `x`.
extern void reach_error(void);
volatile int x;
__typeof__(x) y;
int main(void) {
    y = 1;
    if (y != 1) reach_error();
    return 0;
}
