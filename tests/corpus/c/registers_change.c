// expect: false
// A register on the first page, where NULL is not, gives something else whenever it is read.
extern void reach_error(void);

int main(void) {
  volatile unsigned char *port = (volatile unsigned char *)0x25;
  if (*port != *port) reach_error();
  return 0;
}
