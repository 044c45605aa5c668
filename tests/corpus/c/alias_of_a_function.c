// expect: true
// Two names of one function: its body is known, and its address is one.
void reach_error(void);
int other(int);
int main(void) {
  int (*f)(int) = other, (*g)(int);
  int first(int);
  g = first;
  if (other(1) != 2 || f(2) != 3 || f != g) reach_error();
}
int first(int x) { return x + 1; }
int other(int) __attribute__((alias("first")));
