// expect: true
// The sum is three times the counter, whatever wraps around.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0;
  while (i != n) {
    s += 3;
    i++;
  }
  if (s != 3 * i) reach_error();
  return 0;
}
