// expect: false property=valid-deref
int main(void) {
    int n = 1, *p = 0;
again:
    if (p) return *p;
    int a[n];
    a[0] = n;
    p = a;
    goto again;
}
