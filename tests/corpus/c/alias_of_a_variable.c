// expect: false
// Two names of one variable.
void reach_error(void);
extern int other __attribute__((alias("first")));
int first = 1;
int main(void) {
  other = 2;
  if (first != 1) reach_error();
}
