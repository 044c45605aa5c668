// expect: true
// One variable counts down, two count up: equations relate them, and say all at the end.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0, s = 0;
  while (x > 0) {
    x--;
    y++;
    s += 2;
  }
  if (y != n || s != 2 * n) reach_error();
  return 0;
}
