// expect: false property=valid-deref
struct { int first; int a[3]; } s;
int main(void) {
    int i = 7, *p = &s.a[i];
    return *p;
}
