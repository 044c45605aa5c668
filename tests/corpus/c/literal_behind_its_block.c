// expect: false property=valid-deref
struct s { int a, b; };
int main(void) {
    struct s *p;
    { p = &(struct s){ 1, 2 }; }
    return p->a;
}
