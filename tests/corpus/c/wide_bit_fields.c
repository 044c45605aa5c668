// expect: true
// A bit-field wider than int is computed in its own width; with a long, in the long's.
void reach_error(void);
struct { unsigned long long u : 40; long long s : 40; unsigned long long w : 50; } x;
int main(void) {
  x.u = 0x0100000001;
  if ((x.u << 8) + (x.u >> 32) != 0x101) reach_error();
  x.u = 0;
  if (x.u - 1 != 0xffffffffff) reach_error();
  if (x.u - 1L != -1) reach_error();
  x.s = -1;
  x.w = 1;
  if (x.s < x.w) reach_error();
  if (~x.u != 0xffffffffff) reach_error();
  x.u += 0x1ffffffffff;
  if (x.u != 0xffffffffff) reach_error();
  if ((x.u *= 2) != 0xfffffffffe) reach_error();
  if (sizeof(x.u + 0) != 8) reach_error();
}
