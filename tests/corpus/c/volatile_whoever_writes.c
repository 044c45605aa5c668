// expect: true
// What holds whoever writes: locals that nobody knows, members beside a volatile one, the bits of a field.
void reach_error(void);
struct device { volatile int ready; int data; volatile unsigned mode : 3; } d;
int main(void) {
  volatile int local = 1;
  d.data = 4;
  if (local != 1 || d.data != 4 || d.mode > 7) reach_error();
}
