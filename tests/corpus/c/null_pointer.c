// expect: false property=valid-deref
struct s { int x, y; };
int get(struct s *p) { return p->y; }
int main(void) {
    struct s s = {1, 2};
    get(&s);
    return get(0);
}
