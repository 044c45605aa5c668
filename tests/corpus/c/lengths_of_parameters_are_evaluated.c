// expect: true
int n = 5;
int f(int a, int b[a++], int c[n++], int n) { return a + n; }
int main(void) {
    int x[9];
    if (f(2, x, x, 7) != 10 || n != 6) reach_error();
    return 0;
}
