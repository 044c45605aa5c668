// expect: true property=division-by-zero
// A failed assertion ends the run, whatever is asked.
void __assert_fail(const char *, const char *, unsigned, const char *);
int __VERIFIER_nondet_int(void);
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i == 0) __assert_fail("i", "", 7, "main");
  return 1 / i;
}
