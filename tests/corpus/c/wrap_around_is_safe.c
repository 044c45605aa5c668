// expect: true property=reach-error
// Ideal integers would find an error: only wrap-around keeps the counter even.
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}
int main(void) {
    unsigned char count = 0;
    while (__VERIFIER_nondet_uchar()) {
        count += 2;
    }
    if (count == 255 || count % 2 == 1) reach_error();
    return 0;
}
