// expect: unknown
// Which number an address is depends on the linker.
void reach_error(void);
int x, y;
int main(void) {
  if ((unsigned)(unsigned long)&x != (unsigned)(unsigned long)&y) reach_error();
}
