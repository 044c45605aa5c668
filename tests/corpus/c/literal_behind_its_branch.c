// expect: false property=valid-deref
int main(void) {
    int *p = 0;
    if (!p) p = &(int){ 1 };
    return *p;
}
