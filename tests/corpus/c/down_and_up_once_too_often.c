// expect: false
// As down_and_up.c, but the sum is given a head start.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0, s = 2;
  while (x > 0) {
    x--;
    y++;
    s += 2;
  }
  if (y != n || s != 2 * n) reach_error();
  return 0;
}
