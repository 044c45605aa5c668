// expect: false
// The address of a device's register, kept in a pointer: what is read there is an input.
extern void reach_error(void);

struct uart {
  volatile unsigned data, status;
};

static struct uart *const uart = (struct uart *)0x40001000;

int main(void) {
  if (uart->status & 1) reach_error();
  return 0;
}
