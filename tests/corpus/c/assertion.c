// expect: false property=assert
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    unsigned char d = c * c;
    assert(d != 57 && c < 250 || c == 251);
    return 0;
}
