// lp64 checksum: 134140418641749
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
struct S88 { union { long long m0; unsigned long long m1; long long m2; } ; char m3[5]; union { int m4; unsigned m5; } m6; };
typedef struct S88 F89(struct S88, int);
static struct S88 f91(struct S88 v, int n) { static struct S88 kept; struct S88 t = kept; kept = v; t.m6.m4 ^= n; return n & 1 ? t : kept; }
static struct S88 f92(struct S88 v, int n) { if (v.m6.m4 < n) v.m6.m5++; else v.m6.m4 = n; return v; }
static struct S88 (*f93(int c))(struct S88, int) { static F89 *const all[2] = {f91, f92}; return all[c & 1]; }
struct S90 { struct S88 v; struct S88 (*f)(struct S88, int); struct S88 (*(*next)(int))(struct S88, int); };
int main(void) {
  {
    struct S88 x96 = {{.m0 = 0}, "\0\nz", .m3 = 0};
    struct S90 o97 = {.f = f92, .next = f93, .v = {.m3[1] = 0}};
    mix(x96.m3[2]);
  }
  printf("%llu\n", checksum);
  return 0;
}
