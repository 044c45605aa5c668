// expect: false property=valid-deref
struct __attribute__((packed)) s { unsigned a : 5, b : 9, c : 3; };
struct s many[2];
int main(void) {
    struct s *p = many;
    p[2].a = 5;
    return 0;
}
