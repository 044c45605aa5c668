// expect: true
void assert(int);
int main(void) {
    char a[7];
    int x = 1;
    assert(sizeof(__builtin_choose_expr(1, a, 0)) == 7);
    __builtin_choose_expr(1, x, 0) = 5;
    assert(x == 5);
    return 0;
}
