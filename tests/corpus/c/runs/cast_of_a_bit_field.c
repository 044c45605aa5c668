// expect: true
// A bit-field of few bits is promoted to int, but what it is cast to is not promoted again.
struct s { unsigned few : 28; } s;
unsigned long long wide;
int main(void) {
    s.few = -291;
    wide = (unsigned)s.few << 7;
    if (wide != 0xffff6e80) reach_error();
    wide = s.few << 7;
    if (wide != 0xffffffffffff6e80) reach_error();
    return 0;
}
