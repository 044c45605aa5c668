// expect: true
extern void reach_error(void);
volatile int x;
__typeof__(x + 0) y;
__auto_type z = 0;
int main(void) {
    y = 1;
    z = 1;
    if (y != 1 || z != 1) reach_error();
    return 0;
}
