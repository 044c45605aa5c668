// expect: true
// The sum of two numbers by recursion, over all machine integers: there is no bound on the depth.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int sum(int n, int m) {
    if (n == 0) return m;
    return sum(n - 1, m + 1);
}
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (sum(a, b) != a + b) reach_error();
    return 0;
}
