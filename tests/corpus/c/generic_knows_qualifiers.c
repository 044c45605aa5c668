// expect: true
// What pointers point to has qualifiers, values have none; a string literal is not constant.
struct s { const int c; volatile int v; int n; int a[2]; };
extern void reach_error(void);
extern const char *name(void);
int main(void) {
    char c[2];
    const int i = 1;
    volatile const int both = 1;
    struct s s = {0};
    const struct s *p = &s;
    const int many[2] = {0};
    if (_Generic((c), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 1) reach_error();
    if (_Generic(((const char *)c), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 2) reach_error();
    if (_Generic(("a"), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 1) reach_error();
    if (_Generic((&i), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 4) reach_error();
    if (_Generic((i), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 7) reach_error();
    if (_Generic((&both), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 6) reach_error();
    if (_Generic((many), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 4) reach_error();
    if (_Generic((&s.c), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 4) reach_error();
    if (_Generic((&s.v), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 5) reach_error();
    if (_Generic((&s.n), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 3) reach_error();
    if (_Generic((s.a), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 3) reach_error();
    if (_Generic((&p->n), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 4) reach_error();
    if (_Generic((p->a), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 4) reach_error();
    if (_Generic((&p->v), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 6) reach_error();
    if (_Generic((&*c), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 1) reach_error();
    if (_Generic((i ? &s.n : &i), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 4) reach_error();
    if (_Generic((i ? &i : 0), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, const volatile int *: 6, int: 7, default: 9) != 4) reach_error();
    if (_Generic(&c[0], const char *: 1, default: 2) != 2) reach_error();
    if (__builtin_types_compatible_p(char *, const char *)) reach_error();
    if (!__builtin_types_compatible_p(const char *, const char *const)) reach_error();
    if (!__builtin_types_compatible_p(int, const int)) reach_error();
    return 0;
}
