// expect: false property=bounds
int main(void) {
    int a[4], i;
    for (i = 0; i <= 4; i++) a[i] = i;
    return 0;
}
