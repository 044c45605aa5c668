// expect: true
// A register may change or not: waiting for it ends after ten times.
extern void reach_error(void);

struct uart {
  volatile unsigned data, status;
};

static struct uart *const uart = (struct uart *)0x40001000;

static int send(char c) {
  int n = 0;
  while (!(uart->status & 1))
    if (++n > 10) return -1;
  uart->data = c;
  return n;
}

int main(void) {
  int n = send('x');
  if (n < -1 || n > 10) reach_error();
  return 0;
}
