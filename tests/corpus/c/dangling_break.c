// expect: false property=valid-deref
int main(void) {
    int *p = 0;
    while (1) {
        int inner = 1;
        p = &inner;
        break;
    }
    return *p;
}
