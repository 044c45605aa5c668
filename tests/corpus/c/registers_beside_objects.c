// expect: true
// One function for variables and registers: a register does not lie on a variable, and a variable
// whose address was a number for a while is still a variable.
extern void reach_error(void);

int x, y;

static void set(volatile int *at, int value) { *at = value; }

static int get(volatile int *at) { return *at; }

int main(void) {
  set(&x, 1);
  set((volatile int *)0x40001000, 2);
  set((volatile int *)0x40001004, get((volatile int *)0x40001000));
  unsigned long number = (unsigned long)&y;
  set((volatile int *)number, 3);
  if (x != 1 || y != 3) reach_error();
  return 0;
}
