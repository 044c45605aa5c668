// expect: false property=assert
// The call stands for a question that is not asked: it does not end the run.
void reach_error(void);
void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) {
  reach_error();
  __assert_fail("0", "", 6, "main");
}
