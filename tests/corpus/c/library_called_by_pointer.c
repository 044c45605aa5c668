// expect: true
// Library functions do the same through a pointer: two objects, and a copy.
void reach_error(void);
void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
int main(void) {
  void *(*make)(unsigned long) = malloc;
  void *(*copy)(void *, const void *, unsigned long) = memcpy;
  int *p = make(4), *q = make(4);
  *p = 1;
  *q = 2;
  if (*p != 1) reach_error();
  copy(p, q, 4);
  if (*p != 2) reach_error();
}
