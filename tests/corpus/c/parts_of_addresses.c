// expect: true
// Alignment is known, and so is what comes back when a tag is taken off.
void reach_error(void);
int x = 4;
int main(void) {
  unsigned long a = (unsigned long)&x;
  if (a & 3) reach_error();
  a |= 1;
  if ((a & 1) != 1) reach_error();
  if (*(int *)(a & ~1ul) != 4) reach_error();
}
