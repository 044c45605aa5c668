// ilp32 checksum: 10625307970174162956
extern int printf(const char *, ...);
typedef __typeof__(sizeof(int)) size_t;
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void *memset(void *, int, size_t);
extern void *memcpy(void *, const void *, size_t);
extern int memcmp(const void *, const void *, size_t);
extern size_t strlen(const char *);
unsigned long long checksum;
static void mix(unsigned long long value) { checksum = (checksum ^ value) * 1099511628211ULL + 7; }
struct S1 { signed char m0; unsigned short int m1; };
typedef struct S2 { long long m0[2]; int m1 : 3; unsigned long long m2; unsigned char m3 : 7; } R3;
static const int g4 = (-32768);
static const unsigned char g5[8] = "sieve";
static unsigned char g6[8] = "";
static unsigned f7(unsigned p8, unsigned p9, short p10) {
  if (((char)sizeof(struct S1))) return ((p9 < 15) > (g4 * 0));
  unsigned char *v12 = &(*(g6 + (g4 & 7)));
  if (strlen("t\0amis" + ((*v12) & 3))) return (12 | (((*v12) * g6[g4 & 7]) & (17 ?: (-9223372036854775807LL - 1))));
  return ((struct S1){.m0 = p9}.m0);
}
static unsigned f13(unsigned p14, unsigned p15, short p16) {
  int v18[2] = {[0] = 7, [1] = (~1)};
  p14 |= (v18[g4 & 1] < ((long long)p14 >> (g4 & 63)));
  p16 = strlen("t\0amis" + (((p15 == 0 || p15 == -1) ? p14 : (((struct S1){.m0 = p15}.m0) % p15)) & 3));
  v18[p14 & 1] = ((14 != p14) != (+(17 ?: g6[3025172 & 7])));
  return strlen("t\0amis" + (((p14 == 0 || p14 == -1) ? p16 : (({ int t20 = 8795; t20 + 18; }) / p14)) & 3));
}
static unsigned (*const t21[4])(unsigned, unsigned, short) = { f7, f13, &f13, f7 };
int main(void) {
  struct S1 v22 = {.m0 = 0, .m1 = 13411313};
  struct S1 v23 = {sizeof(long), f13(((long unsigned int[4]){g4, 8, [3] = g5[9 & 7]}[g6[169471 & 7] & 3]), (g5[(*(g6 + (0 & 7))) & 7] >= g6[g5[3 & 7] & 7]), (memcmp(g5, g6, 8) > 0))};
  int v24[2][4] = {{(short)7}, {[0] = g5[g4 & 7], [1] = (-67), [2] = 32, [3] = 20}};
  v24[g4 & 1][v22.m0 & 3] *= v23.m0;
  static struct S1 v25 = {(short)(-2147483647 - 1), (-244)};
  short v26 = (("tamis\0\377"[29374613 & 7]) || ((*(g6 + (7 & 7))) + 6));
  g6[4 & 7] = (((g6[4 & 7] + g5[v25.m1 & 7]) != (v23.m0 + g5[v26 & 7])) <= ((g4 == 0 || g4 == -1) ? v25.m1 : (t21[v22.m0 & 3](v23.m1, g4, 2) / g4)));
  v25 = v25;
  {
    if (((v26 == 0 || v26 == -1) ? g6[g4 & 7] : (((unsigned)v25.m0 << (g6[8 & 7] & 31)) / v26))) {
      (*(v24 + (v23.m0 & 1)))[2 & 3] = ((unsigned char *)&g6[(long unsigned int)2 & 7])[g4 & (sizeof(unsigned char) - 1)];
      ((g4 == 0 || g4 == -1) ? 15 : (((0 ? 0 : 0) / 43) % g4));
    } else {
      const unsigned char a[4][1] = {{v23.m1}, {v22.m1}, {0x80000000}, {4294967295u}};
      v26++;
      (*(v24 + (g5[v26 & 7] & 1)))[v23.m0 & 3] ^= (((memcmp(g6, g6, 8) == 0) & ((short)5)) % (-71));
      mix(a[3][0]);
      mix(a[2][0]);
      mix(a[0][0]);
    }
  }
  mix(g4);
  mix(g5[2]);
  mix(g5[6]);
  mix(g5[4]);
  mix(g5[7]);
  mix(g5[3]);
  mix(g5[0]);
  mix(g5[5]);
  mix(g5[1]);
  mix(g6[3]);
  mix(g6[6]);
  mix(g6[0]);
  mix(g6[5]);
  mix(g6[1]);
  mix(g6[7]);
  mix(g6[4]);
  mix(g6[2]);
  mix(v22.m1);
  mix(v22.m0);
  mix(v23.m0);
  mix(v23.m1);
  mix(v24[0][0]);
  mix(v24[0][1]);
  mix(v24[0][3]);
  mix(v24[1][3]);
  mix(v24[1][1]);
  mix(v24[1][0]);
  mix(v24[1][2]);
  mix(v24[0][2]);
  mix(v25.m1);
  mix(v25.m0);
  mix(v26);
  printf("%llu\n", checksum);
  return 0;
}
