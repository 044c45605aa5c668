// expect: true property=no-overflow
struct s {
    unsigned a : 32, b : 31;
} s = {0xffffffffu, 0x7ffffffe};
int main(void) {
    unsigned u = 0xffffffffu;
    unsigned char c = 255;
    short n = 32767;
    u += 1;
    u *= 7u;
    c *= c;
    c++;
    n++;
    n += 1u;
    s.a++;
    s.b++;
    return 0;
}
