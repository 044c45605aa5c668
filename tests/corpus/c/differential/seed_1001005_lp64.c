// lp64 checksum: 1099511628218
extern int printf(const char *, ...);
typedef __typeof__(sizeof(int)) size_t;
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void free(void *);
extern void *memset(void *, int, size_t);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern int memcmp(const void *, const void *, size_t);
extern size_t strlen(const char *);
unsigned long long checksum;
static void mix(unsigned long long value) { checksum = (checksum ^ value) * 1099511628211ULL + 7; }
struct S17 { struct { char m0[3]; unsigned char m1; } ; unsigned char m2; struct { int m3; signed char m4; } m5[2]; };
struct S23 { int before; struct S17 v; struct S17 more[2]; short after; };
int main(void) {
  {
    struct S17 x20 = {.m2 = 0}, y21[2] = {{.m2 = 0, {[0] = {0, 1}}, .m5[0] = 0}};
    struct S23 c24 = {1, {.m2 = 0}, .after = 7};
    struct S17 *p22 = &x20;
    mix(y21[0].m5[0].m4);
  }
  printf("%llu\n", checksum);
  return 0;
}
