// expect: true
// `(T){}` is all zero, `typeof(T)` takes the name of a type, and universal names are characters.
extern void reach_error(void);
struct s { int x; char c[3]; }; struct none {};
typedef long T;
int f(struct s v) { return v.x + v.c[2]; }
void g(void) {}
int main(void) {
    struct s v = (struct s){};
    struct s *p = &(struct s){};
    if (f((struct s){}) || v.x || p->c[1]) {}
    else if (sizeof(struct none) == 0) {
        typeof(T) x = 1;
        const char *s = "\u00e9\\u00e9";
        if (x == 1 && s[0] == (char)0xc3 && s[1] == (char)0xa9 && s[2] == '\\' && s[3] == 'u' && sizeof "\U0001F600" == 5) return 0;
    }
    for (int i = 0; i < 1; i++) {}
    reach_error();
}
