// expect: true
// Pointers with arbitrary values that equal the address of an object point to it.
void reach_error(void);
int x = 123, y = 7;
extern int *given;
int main(void) {
  int *unset;
  if (unset == &x && *unset != 123) reach_error();
  if (given == &y) {
    *given = 8;
    if (y != 8) reach_error();
  }
}
