// expect: false
// An arbitrary number that equals an address is that address.
void reach_error(void);
unsigned long __VERIFIER_nondet_ulong(void);
int x = 123;
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong();
  if (a == (unsigned long)&x) {
    *(int *)a = 5;
    if (x != 123) reach_error();
  }
}
