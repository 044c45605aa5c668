// expect: unknown
// Whoever declares a function of the library by hand means the same one.
void reach_error(void);
int atoi(const char *);
int main(void) {
  if (atoi("3") != 3) reach_error();
}
