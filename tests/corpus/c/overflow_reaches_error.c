// expect: false property=reach-error
// Ideal integers would prove it: only wrap-around makes the sum small.
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
int main(void) {
    unsigned sum = 0;
    unsigned step = __VERIFIER_nondet_uint();
    for (int round = 0; round < 3; round++) {
        if (sum + step < sum) reach_error();
        sum += step;
    }
    return 0;
}
