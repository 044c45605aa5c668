// expect: true
// Each input counts once, in their order, elements and records too.
extern void reach_error(void);
int x;
struct pair { int a, b; } p[3];
int main(void) {
    asm volatile("" ::"r"((x++, x)), "m"(p[x++]), "r"(({ x += 5; x; })));
    if (x != 7) reach_error();
    return 0;
}
