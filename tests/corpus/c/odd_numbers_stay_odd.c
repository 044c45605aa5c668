// expect: true
// The sum of two odd numbers is even, wrap-around included: no bound on the numbers shows it.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned x = 1, y = 1;
  while (1) {
    x += 2 * __VERIFIER_nondet_uint();
    y += 2 * __VERIFIER_nondet_uint();
    if (x + y == 1) reach_error();
  }
}
