// expect: true
int calls;
int next(void) { return ++calls; }
int main(void) {
    struct { int a, b; } many[3] = { [0 ... 2] = { next(), 9 }, [1] = { 5, 9 } };
    if (calls != 1 || many[0].a != 1 || many[1].a != 5 || many[2].a != 1 || many[1].b != 9) reach_error();
    return 0;
}
