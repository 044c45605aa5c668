// expect: true
typedef union { struct { int a, b; } both; long word; } pair;
pair global;
int sum(pair *p) { return 10 * p->both.a + p->both.b; }
int main(void) {
    pair local = { .both.a = 3, .both.b = 4 };
    global = (pair){ { 11, 2 } };
    if (sum(&global) != 112 || sum(&local) != 34) reach_error();
    if (sum(&(pair){ .both = { 5, 6 } }) != 56) reach_error();
    return 0;
}
