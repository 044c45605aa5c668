// lp64 checksum: 14359621861597292
extern int printf(const char *, ...);
unsigned long long checksum;
static void mix(unsigned long long value) { checksum = (checksum ^ value) * 1099511628211ULL + 7; }
static float g50[2] = {1.5, -0.25};
int main(void) {
  double a[3] = {0.5, -3, -2147483648LL};
  float x = -7.5, y = g50[1];
  mix((x < y) + 2 * (y < 0) + 4 * (a[1] == -3.0) + 8 * (a[2] < a[1]));
  if (g50[0] > y) mix(3);
  printf("%llu\n", checksum);
  return 0;
}
