// expect: true
int f(int x) {
    int r = 0;
    switch (x) {
    case 1: r += 1;
    case 2: r += 10; break;
    default: r = 100;
    case 3 ... 5: r += 1000;
    }
    return r;
}
int main(void) {
    if (f(1) != 11 || f(2) != 10 || f(4) != 1000 || f(9) != 1100) reach_error();
    return 0;
}
