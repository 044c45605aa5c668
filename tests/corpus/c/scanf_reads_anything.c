// expect: false
void assert(int);
int scanf(const char *, ...);
int main(void) {
    int x = 5;
    if (scanf("%d", &x) == 1) assert(x != 77);
    return 0;
}
