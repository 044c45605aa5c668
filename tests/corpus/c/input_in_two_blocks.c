// expect: false property=reach-error
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), h = __VERIFIER_nondet_int(), i = 0;
  if (x >= 2) { while (i < x) i++; }
  if (y != h) y = __VERIFIER_nondet_int();
  if (y == 12345 && h == 54321) reach_error();
  return 0;
}
