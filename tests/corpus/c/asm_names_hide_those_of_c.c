// expect: true
// To the linker, `a` is called `b`, and `b` is called `c`.
int a asm("b") = 1;
int b asm("c") = 2;
extern void reach_error(void);
int main(void) {
    a = 5;
    if (b != 2) reach_error();
    return 0;
}
