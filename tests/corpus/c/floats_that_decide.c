// expect: unknown
int main(void) {
    double a = 1.5, b = 2;
    if (a * b > 2.9) return 0;
    reach_error();
}
