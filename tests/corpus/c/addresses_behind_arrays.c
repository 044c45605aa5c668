// expect: true property=valid-deref
struct { int a[3]; int last; } s;
int main(void) {
    int i = 7, *p = &s.a[i];
    return p == &s.a[3];
}
