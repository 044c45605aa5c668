// expect: unknown
int x = 3;
void assert(int);
asm("f: incl x(%rip)\n ret\n");
void f(void);
int main(void) {
    f();
    assert(x == 3);
    return 0;
}
