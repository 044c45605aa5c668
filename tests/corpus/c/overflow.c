// expect: false property=no-overflow
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0)
        return x + 1;
    return 0;
}
