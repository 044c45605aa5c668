// expect: true
// What is cut from an argument is nowhere else, and pointers are passed as pointers.
extern void reach_error(void);
static int cut(int x) { return x; }
static int *same(int *p) { return p; }
int main(void) {
    int i = 3;
    int (*wide)(long) = (int (*)(long))cut;
    void *(*any)(void *) = (void *(*)(void *))same;
    if (wide(5) != 5 || any(&i) != &i) reach_error();
    return 0;
}
