// expect: true
void assert(int);
int scanf(const char *, ...);
int main(void) {
    int x = 5, y = 6;
    int n = scanf("%d,%d", &x, &y);
    assert(n <= 2);
    if (n < 1) assert(x == 5);
    if (n < 2) assert(y == 6);
    return 0;
}
