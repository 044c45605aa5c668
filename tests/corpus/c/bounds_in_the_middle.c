// expect: false property=bounds
// Only the last array of a record may stand for a longer one.
struct s {
    int a[1];
    int b;
} s;
int main(void) {
    struct s *p = &s;
    int i = 1;
    p->a[i] = 3;
    return 0;
}
