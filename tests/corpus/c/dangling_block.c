// expect: false property=valid-deref
int main(void) {
    int *p;
    {
        int inner = 1;
        p = &inner;
    }
    return *p;
}
