// expect: true
int twice(int x) { return 2 * x; }
int square(int x) { return x * x; }
int (*table[2])(int) = {twice, square};
int main(void) {
    if (table[0](5) != 10 || table[1](5) != 25) reach_error();
    return 0;
}
