// expect: true
// Objects do not lie where registers are, wherever these are.
extern void reach_error(void);

int x;

static void set(volatile int *at, int value) { *at = value; }

int main(void) {
  set(&x, 1);
  set((volatile int *)0x10000, 2);
  set((volatile int *)0x20000, 3);
  set((volatile int *)0x100000000ull, 4);
  if (x != 1) reach_error();
  return 0;
}
