// expect: unknown
// An undefined function may write to what it is given, also if it is called through a pointer.
void reach_error(void);
int fill(int *);
int x;
int main(void) {
  int (*f)(int *) = fill;
  f(&x);
  if (x == 5) reach_error();
}
