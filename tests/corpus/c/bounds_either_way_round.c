// expect: false property=bounds
// `i[a]` is `a[i]`.
int a[3];
int main(void) {
    int i = 3;
    return i[a];
}
