// expect: unknown
// A function that is handed over in a structure may be called.
extern void reach_error(void);
int x;
static void h(void) { x = 1; }
struct ops {
    void (*f)(void);
    int k;
};
void run(struct ops *);
int main(void) {
    static struct ops o = {h, 3};
    run(&o);
    if (x) reach_error();
    return 0;
}
