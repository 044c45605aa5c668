// expect: false property=division-by-zero
// An access out of bounds stands for a question that is not asked: it does not end the run.
int __VERIFIER_nondet_int(void);
int a[4];
int main(void) {
  int i = __VERIFIER_nondet_int();
  a[i] = 1;
  return 1 / (i != 7);
}
