// expect: false property=no-overflow
int main(void) {
    _Bool b = 1;
    b += 2147483647;
    return b;
}
