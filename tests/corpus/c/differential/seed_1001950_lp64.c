// lp64 checksum: 72057594066436103
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
union S50 { long long m0; char m1[8]; };
int main(void) {
  switch (0 % 40) {
    case 0 ... 7: {
      {
        static union S50 y54 = {.m1 = {0}};
        union S50 x53 = {.m1[2] = 1, .m1 = 0};
        mix(x53.m0);
      }
    }
  }
  printf("%llu\n", checksum);
  return 0;
}
