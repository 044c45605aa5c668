// expect: false property=no-overflow
// All values of the field fit an `int`, so it becomes one.
struct s {
    unsigned a : 31;
} s;
int main(void) {
    s.a = 0x7fffffff;
    s.a++;
    return 0;
}
