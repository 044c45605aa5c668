// expect: false ask=valid-deref
int main(void) {
    int *p;
    {
        int inner = 1;
        p = &inner;
    }
    return *p;
}
