// expect: unknown
void assert(int);
int scanf(const char *, ...);
int main(void) {
    int x = 0;
    scanf("%2d", &x);
    assert(x < 100);
    return 0;
}
