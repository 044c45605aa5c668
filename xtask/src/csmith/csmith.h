/* What Csmith's programs include, for a checker: the functions that Csmith's own header has, with a
   checksum of few steps, which ends as a question instead of a line of text.

   CHECKSUM is the right checksum. With DENIED, the error is to reach it; without, to miss it. A
   program without CHECKSUM prints it. */

#include <stdint.h>

void reach_error(void);
int printf(const char *, ...);

static uint64_t crc32_context;

static void platform_main_begin(void) {}
static void crc32_gentab(void) { crc32_context = 0xcbf29ce484222325; }

/* The factor is odd, so a value that differs is never lost; the shift lets high bits count below. */
static void transparent_crc(uint64_t value, char *name, int flag) {
  crc32_context = (crc32_context ^ value) * 0x9e3779b97f4a7c15;
  crc32_context ^= crc32_context >> 29;
}

static void transparent_crc_bytes(char *bytes, int count, char *name, int flag) {
  for (int i = 0; i < count; i++) transparent_crc(bytes[i], name, flag);
}

static void platform_main_end(uint64_t checksum, int flag) {
#if !defined CHECKSUM
  printf("%llu\n", (unsigned long long)checksum);
#elif defined DENIED
  if (checksum == CHECKSUM) reach_error();
#else
  if (checksum != CHECKSUM) reach_error();
#endif
}

/* Arithmetic that gives its first operand where C does not define the result. */
#define SAFE(T, name, parameters, is_undefined, value) \
  static T safe_##name parameters { return is_undefined ? a : value; }

#define DIVISIONS(T, kind, is_undefined) \
  SAFE(T, div_func_##T##_##kind##_##kind, (T a, T b), (b == 0 || is_undefined), a / b) \
  SAFE(T, mod_func_##T##_##kind##_##kind, (T a, T b), (b == 0 || is_undefined), a % b)

#define SHIFTS(T, kind, most) \
  SAFE(T, lshift_func_##T##_##kind##_s, (T a, int b), (a < 0 || b < 0 || b >= 32 || a > most >> b), a << b) \
  SAFE(T, lshift_func_##T##_##kind##_u, (T a, unsigned b), (a < 0 || b >= 32 || a > most >> b), a << b) \
  SAFE(T, rshift_func_##T##_##kind##_s, (T a, int b), (a < 0 || b < 0 || b >= 32), a >> b) \
  SAFE(T, rshift_func_##T##_##kind##_u, (T a, unsigned b), (a < 0 || b >= 32), a >> b)

/* Unsigned numbers are computed in a type W that is not promoted to a signed one. */
#define UNSIGNED(T, W, most) \
  SAFE(T, unary_minus_func_##T##_u, (T a), 0, -a) \
  SAFE(T, add_func_##T##_u_u, (T a, T b), 0, a + b) \
  SAFE(T, sub_func_##T##_u_u, (T a, T b), 0, a - b) \
  SAFE(T, mul_func_##T##_u_u, (T a, T b), 0, (W)a * (W)b) \
  DIVISIONS(T, u, 0) \
  SHIFTS(T, u, most)

/* Numbers narrower than int are promoted, so that only the conversion back loses something. */
#define NARROW(T, most) \
  SAFE(T, unary_minus_func_##T##_s, (T a), 0, -a) \
  SAFE(T, add_func_##T##_s_s, (T a, T b), 0, a + b) \
  SAFE(T, sub_func_##T##_s_s, (T a, T b), 0, a - b) \
  SAFE(T, mul_func_##T##_s_s, (T a, T b), 0, a * b) \
  DIVISIONS(T, s, (a == -most - 1 && b == -1)) \
  SHIFTS(T, s, most)

#define WIDE(T, least, most) \
  SAFE(T, unary_minus_func_##T##_s, (T a), a == least, -a) \
  SAFE(T, add_func_##T##_s_s, (T a, T b), ((b > 0 && a > most - b) || (b < 0 && a < least - b)), a + b) \
  SAFE(T, sub_func_##T##_s_s, (T a, T b), ((b < 0 && a > most + b) || (b > 0 && a < least + b)), a - b) \
  SAFE(T, mul_func_##T##_s_s, (T a, T b), \
       ((a > 0 && b > 0 && a > most / b) || (a > 0 && b <= 0 && b < least / a) || \
        (a <= 0 && b > 0 && a < least / b) || (a < 0 && b <= 0 && b < most / a)), a * b) \
  DIVISIONS(T, s, (a == least && b == -1)) \
  SHIFTS(T, s, most)

UNSIGNED(uint8_t, unsigned, UINT8_MAX)
UNSIGNED(uint16_t, unsigned, UINT16_MAX)
UNSIGNED(uint32_t, uint32_t, UINT32_MAX)
UNSIGNED(uint64_t, uint64_t, UINT64_MAX)
NARROW(int8_t, INT8_MAX)
NARROW(int16_t, INT16_MAX)
WIDE(int32_t, INT32_MIN, INT32_MAX)
WIDE(int64_t, INT64_MIN, INT64_MAX)
