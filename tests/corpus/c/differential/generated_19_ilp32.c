// ilp32 checksum: 564246720275404826
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
enum E1 { K2 = -8, K3 };
typedef struct S4 { char m0; unsigned long long m1 : 33; } R5;
union U6 { unsigned long long m0; unsigned short int m1[4]; };
static union U6 g7 = {29152};
long long g8[2] = {(-1), (-32768)};
static const R5 g9 = {K3, 362742};
static const unsigned char g11 = 0;
int main(void) {
  g7.m1[(unsigned long long)g9.m1 & 3] /= 342LL;
  long long v13 = (-63);
  signed char v14 = ((unsigned char)sizeof(g11) << (v13 & 15));
  for (unsigned i15 = 4; i15 > 0; i15--) {
    (*(g8 + (g11 & 1))) += ((enum E1)g7.m1[K2 & 3]);
    v14 = (((g11 == 0 || g11 == -1) ? 4 : (((R5){.m0 = i15}.m0) / g11)) * (g8[g8[14 & 1] & 1] | (v14 < g11)));
    g8[12 & 1] %= 403u;
  }
  v13 = ((long[4]){v14, v13, [3] = v13}[(g8[16 & 1] % (-205)) & 3]);
  g7.m1[1 & 3] = ({ unsigned char t16 = ((v14 >= g9.m0) > 1); t16 + ((unsigned)(v14 ?: 18) << (g8[0 & 1] & 31)); });
  ++v13;
  ((g11 == 0 || g11 == -1) ? g11 : (g11 % g11));
  (&g8[((unsigned char *)&g8[1 & 1])[(*(g8 + (0 & 1))) & (sizeof(long long) - 1)] & 1] - (g8 + (((g8[1 & 1] ?: g8[g8[0xffffffffffffffffULL & 1] & 1]) >> ((g7.m0 + (unsigned long long)g9.m1) & 31)) & 1)));
  signed char v17 = ((short)(g11 < (-69)));
  memset(g8, 9, sizeof(g8));
  for (int i18 = 1; i18 > 0; i18--) {
    g7 = g7;
  }
  g7.m0 <<= (sizeof(int) & 15);
  g7.m0 &= ((((g11 == 0 || g11 == -1) ? g7.m1[12 & 3] : ((unsigned long long)g9.m1 / g11)) == (*(g7.m1 + (3 & 3)))) != sizeof(R5));
  { long long *w19 = &g8[0]; do *w19++ += ((int)7); while (w19 - g8 < 2); }
  mix(g8[197604114 & 1]);
  g8[g8[1 & 1] & 1] /= 656;
  for (int i20 = 2; i20 > 0; i20--) {
    { {
      v17 = ((unsigned char)(i20 ?: (g11 && 0)) << (({ signed char t22 = ((union U6){.m0 = 7}.m0); t22 + 17; }) & 15));
      mix((!(unsigned long long)g9.m1));
      switch ((-990)) {
        case 7: {
          g7.m0 = ((((unsigned long long[4]){g11, g11, [3] = g8[i20 & 1]}[i20 & 3]) + (6 & g7.m1[g8[(long)0x7fffffff & 1] & 3])) | (((signed char)i20) - (g7.m1[g9.m0 & 3] ? 10 : 17)));
          mix(19);
        }
        case 17: {
          v14 >>= (((16 * 66547) ?: (g8[g9.m0 & 1] % 704)) & 31);
          v17 /= (-693);
        } break;
        case 20: case 21: {
          v13 *= (((((_Bool)v17) ? g7.m1[i20 & 3] : ((int)v14)) & 1023) << ((((unsigned)g8[1 & 1]) < (i20 + v17)) & 15));
        } break;
        default: {
          {
            v13 = v17;
            ((unsigned long long)((unsigned long long)3) << (g8[i20 & 1] & 63));
          }
          for (long long *w23 = g8; w23 < g8 + 2; w23++) *w23 ^= (((R5){.m0 = 14}.m0) >= g7.m0);
        } break;
      }
      (*(g8 + (2147483648 & 1))) = (((unsigned)(g11 != (unsigned long long)g9.m1) << ((3471 / 375LL) & 31)) != ((unsigned)((signed char)g7.m1[K2 & 3])));
    } L21:; }
  }
  mix(g7.m1[0]);
  mix(g7.m1[2]);
  mix(g7.m1[1]);
  mix(g7.m0);
  mix(g7.m1[3]);
  mix(g8[0]);
  mix(g8[1]);
  mix(g9.m1);
  mix(g9.m0);
  mix(g11);
  mix(v13);
  mix(v14);
  mix(v17);
  printf("%llu\n", checksum);
  return 0;
}
