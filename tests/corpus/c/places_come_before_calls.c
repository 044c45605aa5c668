// expect: true
// Compilers find the place of an assignment first, where the value changes what tells the place.
extern void reach_error(void);
int a[3], i, b, *p = &b;
int f(void) {
    i = 2;
    p = a;
    return 7;
}
int main(void) {
    a[i] = f();
    if (a[0] != 7 || a[2] != 0) reach_error();
    p = &b;
    *p = f();
    if (b != 7) reach_error();
    return 0;
}
