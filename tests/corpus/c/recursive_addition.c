// expect: true
// The result is the sum of the arguments, which no number of calls bounds.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

unsigned add(unsigned m, unsigned n) {
  if (n == 0) return m;
  return add(m + 1, n - 1);
}

int main(void) {
  unsigned m = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
  if (add(m, n) != m + n) reach_error();
  return 0;
}
