// expect: true property=valid-deref
struct __attribute__((packed)) s { unsigned a : 5, b : 9, c : 3; };
struct s many[2];
int main(void) {
    struct s *p = many;
    p[1].c = 5;
    p[1].b = 100;
    return p[1].c + p[1].b;
}
