// expect: true
// A name in assembly is the one that the linker sees.
void reach_error(void);
extern int f(int) __asm__("g");
extern int other __asm__("first");
int g(int x) { return x + 1; }
int first = 3;
int main(void) {
  if (f(1) != 2 || other != 3) reach_error();
}
