// expect: false property=valid-deref
static const int table[] = { 1, 2, 3 };
int main(void) {
    int *p = (int *)table;
    p[1] = 2;
    return 0;
}
