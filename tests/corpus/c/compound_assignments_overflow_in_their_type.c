// expect: false property=no-overflow
// An assignment `a *= b` computes in the common type, whatever the type of `a` is (C11 6.5.16.2p3).
int main(void) {
    unsigned short us = 65535;
    us *= us;
    return us;
}
