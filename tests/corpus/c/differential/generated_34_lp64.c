// lp64 checksum: 3023392070780157454
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
typedef unsigned char T1;
typedef long T2;
struct S3 { unsigned m0[2]; unsigned short int m1; long long m2; signed char m3 : 5; };
static T2 g4[2][2] = {{(-351), 0377}};
T2 g5 = 106344191;
static const int g7 = 354653516;
static int f9(struct S3 p10, T2 p11);
static int f9(struct S3 p10, T2 p11) {
  {
    { int n13 = 0; while (n13++ < 3 && (((g5 == 0 || g5 == -1) ? g4[p11 & 1][g5 & 1] : (943249 / g5)) + ((int[4]){g7, p11, [3] = p11}[10 & 3]))) {
      if ((((p11 & 1023) << (g7 & 15)) && g7)) {
        p10.m1 <<= (p10.m0['\0' & 1] & 15);
        p10.m2 = ((int)p11);
        p10.m2 = 2;
      }
      p11 = (~(0 == g4[p10.m0[1 & 1] & 1][1 & 1]));
      p11 %= 990;
    } }
  }
  switch (((p11 + 13) > (19 - p11)) & 31) {
    default: {
      p10.m3 >>= (((short)g4[p11 & 1][g5 & 1]) & 31);
    }
    case 12: {
      if ('a') {
        p11 = (((-441) * sizeof(p10)) >> (((g5 ? g7 : p11) == p10.m0[(*(g4[0 & 1] + ((-587) & 1))) & 1]) & 31));
        p10.m1 = 0;
      }
      struct S3 d[2] = {{{g7}, 83874771, p10.m3, 1772}, {{53255735, 128}, 50280316, (12 + 12), (p10.m2 == p11)}};
    } break;
  }
  return (-221);
}
int main(void) {
  g4[8 & 1][6 & 1] = ((long long)(((g5 == 0 || g5 == -1) ? 14 : (g4[1 & 1][g7 & 1] % g5)) + ((g5 == 0 || g5 == -1) ? (-128) : (16 % g5))) >> (g5 & 63));
  T2 v15[2] = {256, 2};
  struct S3 v16 = {{430410, 1150}, 0, 6, (~18)};
  for (long i17 = 0; i17 < 4; ++i17) {
    switch (((unsigned)i17 << (sizeof(i17) & 31)) & 31) {
      case 4: {
        for (long i18 = 2; i18 > 0; i18--) {
          mix(((g5 == 0 || g5 == -1) ? (*(v15 + (0 & 1))) : (11 % g5)));
        }
      } break;
      case -2: {
        __typeof__((unsigned short int)0) a = ((i17 == 0 || i17 == -1) ? v15[1 & 1] : (g5 / i17));
        mix(a);
      } break;
    }
    _Bool c = (!(g5 ^ i17));
    { int n19 = 0; do {
      { T1 *h20 = calloc(2, sizeof(*h20)); h20[0] = 0x7fffffffffffffffLL; {
        c ^= (sizeof(struct S3 [2]) ? ((c && g4[g4[32767 & 1][0 & 1] & 1][0 & 1]) / (-686)) : v15[i17 & 1]);
      } free(h20); }
      v15[12 & 1] = ((g5 < 14) == f9(v16, ((*(v15 + (1 & 1))) >> (g7 & 31))));
    } while (++n19 < 4 && ((i17 <= g4[v15[0 & 1] & 1][1 & 1]) + (&v15[v15[0 & 1] & 1] - (v15 + (9 & 1))))); }
    mix(c);
  }
  memset(v15, 15, sizeof(v15));
  if (((g7 ? v15[g4[11 & 1][(-512) & 1] & 1] : g5) < (((unsigned char *)&g5)[g5 & (sizeof(T2) - 1)] >= g4[g5 & 1][g7 & 1]))) {
    v15[9 & 1] = ((g7 == 0 || g7 == -1) ? 241626 : (13 % g7));
    v16 = v16;
  } else {
    ((unsigned char *)&g4[0 & 1][0 & 1])[0 & (sizeof(T2) - 1)] = (g5 && (16 * 12));
    long unsigned int d = (16 & v16.m2);
    mix(d);
  }
  struct S3 v22 = {{[0] = (v16.m3 - 19)}, v16.m1, v16.m1, (int)1L};
  mix(g4[0][0]);
  mix(g4[1][1]);
  mix(g4[0][1]);
  mix(g4[1][0]);
  mix(g5);
  mix(g7);
  mix(v15[1]);
  mix(v15[0]);
  mix(v16.m2);
  mix(v16.m0[1]);
  mix(v16.m3);
  mix(v16.m0[0]);
  mix(v16.m1);
  mix(v22.m1);
  mix(v22.m3);
  mix(v22.m2);
  mix(v22.m0[0]);
  mix(v22.m0[1]);
  printf("%llu\n", checksum);
  return 0;
}
