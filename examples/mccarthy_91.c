// McCarthy's function: it returns 91 for all numbers up to 101. The recursion is proved without a bound.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int f91(int x) {
    if (x > 100) return x - 10;
    return f91(f91(x + 11));
}
int main(void) {
    int x = __VERIFIER_nondet_int(), r = f91(x);
    if (r != 91 && !(x > 101 && r == x - 10)) reach_error();
    return 0;
}
