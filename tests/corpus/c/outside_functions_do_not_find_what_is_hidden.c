// expect: true
// What nobody outside was given the address of, nobody outside calls.
extern void reach_error(void);
int x;
static void h(void) { x = 1; }
struct ops {
    void (*f)(void);
    int k;
};
int run(int);
int main(void) {
    static struct ops o = {h, 3};
    if (run(3) == 7 && x) reach_error();
    o.f();
    return 0;
}
