// expect: true
int main(void) {
    float a = 0.5f, b = -0.5f, zero = 0;
    if (!(b < zero && zero < a && -a == b && zero == -zero))
        reach_error();
    return 0;
}
