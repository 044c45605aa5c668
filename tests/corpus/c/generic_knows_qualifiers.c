// expect: true
// What pointers point to has qualifiers, values have none; a string literal is not constant.
struct s { const int c; volatile int v; int n; int a[2]; };
#define KIND(x) _Generic((x), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, \
    const volatile int *: 6, int: 7, const int: 8, default: 9)
extern void reach_error(void);
extern const char *name(void);
int main(void) {
    char c[2];
    const int i = 1;
    volatile const int both = 1;
    struct s s = {0};
    const struct s *p = &s;
    const int many[2] = {0};
    if (KIND(c) != 1 || KIND((const char *)c) != 2 || KIND("a") != 1) reach_error();
    if (KIND(&i) != 4 || KIND(i) != 7 || KIND(&both) != 6 || KIND(many) != 4) reach_error();
    if (KIND(&s.c) != 4 || KIND(&s.v) != 5 || KIND(&s.n) != 3 || KIND(s.a) != 3) reach_error();
    if (KIND(&p->n) != 4 || KIND(p->a) != 4 || KIND(&p->v) != 6 || KIND(&*c) != 1) reach_error();
    if (KIND(i ? &s.n : &i) != 4 || KIND(i ? &i : 0) != 4) reach_error();
    if (_Generic(&c[0], const char *: 1, default: 2) != 2) reach_error();
    if (__builtin_types_compatible_p(char *, const char *)) reach_error();
    if (!__builtin_types_compatible_p(const char *, const char *const)) reach_error();
    if (!__builtin_types_compatible_p(int, const int)) reach_error();
    return 0;
}
