// expect: false
// Whole records and bytes of registers are inputs, too: not those of the variable that is copied
// in the same place.
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);

struct pair {
  unsigned a, b;
};

struct pair own = {1, 2};

static void copy(struct pair *to, const struct pair *from) { *to = *from; }

static unsigned load(const void *from) {
  unsigned value;
  memcpy(&value, from, sizeof value);
  return value;
}

int main(void) {
  struct pair x, y;
  copy(&x, &own);
  copy(&y, (struct pair *)0x40000000);
  if (load(&own) != 1 || x.b != 2) return 0;
  if (y.a != 1 && y.a != y.b && load((void *)0x40000010) == 7) reach_error();
  return 0;
}
