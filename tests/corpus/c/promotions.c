// expect: true
// Narrow operands are computed as int, and the result is cut only when it is stored.
int main(void) {
    unsigned char a = 200, b = 100;
    unsigned char c = a + b;
    if (a + b != 300) reach_error();
    if (c != 44) reach_error();
    signed char d = -1;
    if (d > 0u) return 0;
    reach_error();
}
