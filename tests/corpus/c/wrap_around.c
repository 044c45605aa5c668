// expect: true
int main(void) {
    int x = 2147483647;
    x = x + 1;
    if (x != -2147483647 - 1) reach_error();
    unsigned y = 0;
    y--;
    if (y != 4294967295u) reach_error();
    return 0;
}
