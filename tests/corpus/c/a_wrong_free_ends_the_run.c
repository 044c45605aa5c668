// expect: true property=valid-memcleanup
// What is freed twice is not freed instead of something else: the allocator ends the run.
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
  void *p = malloc(1), *q = malloc(1);
  free(p);
  free(p);
  return 0;
}
