// expect: unknown
int x, y;
int main(void) {
    int *p = &x;
    __asm__ volatile("mov %1, %0" : "+r"(p) : "r"(&y));
    *p = 5;
    if (y) reach_error();
    return 0;
}
