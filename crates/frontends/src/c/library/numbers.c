// Numbers: parts of stdlib.h and inttypes.h, C11 7.22, errno, and the bits that GCC and POSIX count.

int *__errno_location(void) {
    static int number;
    return &number;
}

// The digits of an integer behind white space and a sign, as C11 7.22.1.4 reads them: at most `most`,
// or one more behind a minus if `less` is set; more than that is `over`.
unsigned long long __digits(const char *s, char **end, int base, unsigned long long most, int less, int *minus, int *over) {
    size_t i = 0, first;
    unsigned long long value = 0;
    *minus = *over = 0;
    if (end) *end = (char *)s;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = 22;
        return 0;
    }
    while (isspace((unsigned char)s[i])) i++;
    if (s[i] == '-' || s[i] == '+') *minus = s[i++] == '-';
    if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X') &&
        isxdigit((unsigned char)s[i + 2])) {
        base = 16;
        i += 2;
    }
    if (base == 0) base = s[i] == '0' ? 8 : 10;
    if (*minus && less) most++;
    first = i;
    for (;;) {
        char c = s[i];
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
        if (digit >= base) break;
        if (*over || value > (most - (unsigned)digit) / (unsigned)base) *over = 1;
        else value = value * (unsigned)base + (unsigned)digit;
        i++;
    }
    if (end && i > first) *end = (char *)s + i;
    if (*over) *__errno_location() = 34;
    return *over ? most : value;
}

long strtol(const char *s, char **end, int base) {
    int minus, over;
    unsigned long value = __digits(s, end, base, ~0ul >> 1, 1, &minus, &over);
    if (!minus) return (long)value;
    return value ? -(long)(value - 1) - 1 : 0;
}

long long strtoll(const char *s, char **end, int base) {
    int minus, over;
    unsigned long long value = __digits(s, end, base, ~0ull >> 1, 1, &minus, &over);
    if (!minus) return (long long)value;
    return value ? -(long long)(value - 1) - 1 : 0;
}

unsigned long strtoul(const char *s, char **end, int base) {
    int minus, over;
    unsigned long value = __digits(s, end, base, ~0ul, 0, &minus, &over);
    return minus && !over ? -value : value;
}

unsigned long long strtoull(const char *s, char **end, int base) {
    int minus, over;
    unsigned long long value = __digits(s, end, base, ~0ull, 0, &minus, &over);
    return minus && !over ? -value : value;
}

int atoi(const char *s) {
    return (int)strtol(s, 0, 10);
}

long atol(const char *s) {
    return strtol(s, 0, 10);
}

long long atoll(const char *s) {
    return strtoll(s, 0, 10);
}

int abs(int x) {
    return x < 0 ? -x : x;
}

long labs(long x) {
    return x < 0 ? -x : x;
}

long long llabs(long long x) {
    return x < 0 ? -x : x;
}

long long imaxabs(long long x) {
    return x < 0 ? -x : x;
}

int ffs(int x) {
    int n = 0;
    if (!x) return 0;
    while (!((unsigned)x >> n & 1)) n++;
    return n + 1;
}

int ffsl(long x) {
    int n = 0;
    if (!x) return 0;
    while (!((unsigned long)x >> n & 1)) n++;
    return n + 1;
}

int ffsll(long long x) {
    int n = 0;
    if (!x) return 0;
    while (!((unsigned long long)x >> n & 1)) n++;
    return n + 1;
}

int __builtin_popcountll(unsigned long long x) {
    int n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}

int __builtin_popcountl(unsigned long x) {
    int n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}

int __builtin_popcount(unsigned x) {
    int n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}

int __builtin_parity(unsigned x) {
    return __builtin_popcount(x) & 1;
}

int __builtin_parityl(unsigned long x) {
    return __builtin_popcountl(x) & 1;
}

int __builtin_parityll(unsigned long long x) {
    return __builtin_popcountll(x) & 1;
}

int __builtin_ctz(unsigned x) {
    int n = 0;
    while (n < 32 && !(x >> n & 1)) n++;
    return n;
}

int __builtin_ctzl(unsigned long x) {
    int n = 0;
    while (n < 8 * (int)sizeof x && !(x >> n & 1)) n++;
    return n;
}

int __builtin_ctzll(unsigned long long x) {
    int n = 0;
    while (n < 64 && !(x >> n & 1)) n++;
    return n;
}

int __builtin_clz(unsigned x) {
    int n = 0;
    while (n < 32 && !(x >> (31 - n) & 1)) n++;
    return n;
}

int __builtin_clzl(unsigned long x) {
    int n = 0, bits = 8 * (int)sizeof x;
    while (n < bits && !(x >> (bits - 1 - n) & 1)) n++;
    return n;
}

int __builtin_clzll(unsigned long long x) {
    int n = 0;
    while (n < 64 && !(x >> (63 - n) & 1)) n++;
    return n;
}

int __builtin_clrsb(int x) {
    int n = 0;
    while (n < 31 && ((unsigned)x >> (30 - n) & 1) == ((unsigned)x >> 31)) n++;
    return n;
}

int __builtin_clrsbl(long x) {
    int n = 0, top = 8 * (int)sizeof x - 1;
    while (n < top && ((unsigned long)x >> (top - 1 - n) & 1) == ((unsigned long)x >> top)) n++;
    return n;
}

int __builtin_clrsbll(long long x) {
    int n = 0;
    while (n < 63 && ((unsigned long long)x >> (62 - n) & 1) == ((unsigned long long)x >> 63)) n++;
    return n;
}

unsigned short __builtin_bswap16(unsigned short x) {
    return x >> 8 | x << 8;
}

unsigned __builtin_bswap32(unsigned x) {
    return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

unsigned long long __builtin_bswap64(unsigned long long x) {
    unsigned long long r = 0;
    int i;
    for (i = 0; i < 8; i++) {
        r = r << 8 | (x & 255);
        x >>= 8;
    }
    return r;
}
