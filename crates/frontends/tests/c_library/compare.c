// The models of library functions beside the functions of this machine's library, on random calls.
// The test puts declarations of the models, as `model_NAME`, before this text.

#include <errno.h>
#include <stdio.h>

static unsigned long long seed = 88172645463325252ull;

static unsigned long long next(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

// A short string of few different characters, so that calls meet.
static void text(char *to, const char *of) {
    size_t n = next() % 9, all = strlen(of);
    for (size_t i = 0; i < n; i++) to[i] = of[next() % all];
    to[n] = 0;
}

static int sign(int x) {
    return (x > 0) - (x < 0);
}

static int wrong;

#define SAME(name, left, right)                                                        \
    do {                                                                               \
        if ((left) != (right)) {                                                       \
            printf("%s differs on \"%s\", \"%s\", %zu, %d\n", name, a, b, n, c);       \
            wrong = 1;                                                                 \
        }                                                                              \
    } while (0)

#define COPIES(name, call, model)                                                      \
    do {                                                                               \
        char x[40], y[40];                                                             \
        memset(x, 'x', sizeof x);                                                      \
        memset(y, 'x', sizeof y);                                                      \
        strcpy(x, b);                                                                  \
        strcpy(y, b);                                                                  \
        size_t at = (char *)(call)-x;                                                  \
        size_t where = (char *)(model)-y;                                              \
        SAME(name, at, where);                                                         \
        SAME(name, memcmp(x, y, sizeof x), 0);                                         \
    } while (0)

static void strings(void) {
    char a[16] = "", b[16] = "";
    text(a, "abA\xc1 ");
    text(b, "abA\xc1 ");
    size_t n = next() % 10, most = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    int c = "abA\xc1 z"[next() % 7];
    SAME("strlen", strlen(a), model_strlen(a));
    SAME("strnlen", strnlen(a, n), model_strnlen(a, n));
    SAME("strcmp", sign(strcmp(a, b)), sign(model_strcmp(a, b)));
    SAME("strncmp", sign(strncmp(a, b, n)), sign(model_strncmp(a, b, n)));
    SAME("strcasecmp", sign(strcasecmp(a, b)), sign(model_strcasecmp(a, b)));
    SAME("strncasecmp", sign(strncasecmp(a, b, n)), sign(model_strncasecmp(a, b, n)));
    SAME("memcmp", sign(memcmp(a, b, most)), sign(model_memcmp(a, b, most)));
    SAME("bcmp", !bcmp(a, b, most), !model_bcmp(a, b, most));
    SAME("strchr", strchr(a, c), model_strchr(a, c));
    SAME("strchrnul", strchrnul(a, c), model_strchrnul(a, c));
    SAME("strrchr", strrchr(a, c), model_strrchr(a, c));
    SAME("index", index(a, c), model_index(a, c));
    SAME("rindex", rindex(a, c), model_rindex(a, c));
    SAME("strstr", strstr(a, b), model_strstr(a, b));
    SAME("strspn", strspn(a, b), model_strspn(a, b));
    SAME("strcspn", strcspn(a, b), model_strcspn(a, b));
    SAME("strpbrk", strpbrk(a, b), model_strpbrk(a, b));
    SAME("memchr", memchr(a, c, strlen(a)), model_memchr(a, c, strlen(a)));
    SAME("memrchr", memrchr(a, c, strlen(a)), model_memrchr(a, c, strlen(a)));
    SAME("rawmemchr", rawmemchr(a, 0), model_rawmemchr(a, 0));
    char *one = strndup(a, n), *other = model_strndup(a, n);
    SAME("strndup", strcmp(one, other), 0);
    free(one);
    free(other);
    one = strdup(a), other = model_strdup(a);
    SAME("strdup", strcmp(one, other), 0);
    free(one);
    free(other);
    COPIES("strcpy", strcpy(x, a), model_strcpy(y, a));
    COPIES("stpcpy", stpcpy(x, a), model_stpcpy(y, a));
    COPIES("strncpy", strncpy(x, a, n), model_strncpy(y, a, n));
    COPIES("stpncpy", stpncpy(x, a, n), model_stpncpy(y, a, n));
    COPIES("strcat", strcat(x, a), model_strcat(y, a));
    COPIES("strncat", strncat(x, a, n), model_strncat(y, a, n));
    COPIES("mempcpy", mempcpy(x, a, most), model_mempcpy(y, a, most));
    COPIES("bcopy", (bcopy(a, x, most), x), (model_bcopy(a, y, most), y));
    COPIES("bzero", (bzero(x, n), x), (model_bzero(y, n), y));
}

static void characters(void) {
    const char *a = "", *b = "";
    size_t n = 0;
    for (int c = -1; c < 256; c++) {
#define CLASS(name) SAME(#name, !(name)(c), !model_##name(c))
        CLASS(isdigit);
        CLASS(isupper);
        CLASS(islower);
        CLASS(isalpha);
        CLASS(isalnum);
        CLASS(isspace);
        CLASS(isblank);
        CLASS(isxdigit);
        CLASS(iscntrl);
        CLASS(isprint);
        CLASS(isgraph);
        CLASS(ispunct);
        SAME("toupper", (toupper)(c), model_toupper(c));
        SAME("tolower", (tolower)(c), model_tolower(c));
        SAME("__ctype_b_loc", (*__ctype_b_loc())[c], (*model___ctype_b_loc())[c]);
    }
}

static void numbers(void) {
    static const int bases[] = {0, 2, 8, 10, 16, 36, 1, 37};
    char a[40], b[40] = "";
    // Long ones overflow.
    text(a, " -+0xX19fgZ");
    for (size_t more = next() % 4; more; more--) text(a + strlen(a), "0123456789abcf");
    size_t n = 0;
    int c = bases[next() % 8];
    unsigned long long x = next() >> next() % 64;
#define READS(name, type)                                                              \
    do {                                                                               \
        char *end = 0, *stop = 0;                                                      \
        errno = 0;                                                                     \
        *model___errno_location() = 0;                                                 \
        type left = name(a, &end, c), right = model_##name(a, &stop, c);               \
        SAME(#name, left, right);                                                      \
        /* What is stored for a base that there is not, POSIX leaves open. */          \
        if (c != 1 && c != 37) SAME(#name, end, stop);                                 \
        SAME(#name, errno, *model___errno_location());                                 \
    } while (0)
    READS(strtol, long);
    READS(strtoll, long long);
    READS(strtoul, unsigned long);
    READS(strtoull, unsigned long long);
    SAME("atoi", atoi(a), model_atoi(a));
    SAME("atol", atol(a), model_atol(a));
    SAME("atoll", atoll(a), model_atoll(a));
    SAME("ffs", ffs((int)x), model_ffs((int)x));
    SAME("ffsl", ffsl((long)x), model_ffsl((long)x));
    SAME("ffsll", ffsll((long long)x), model_ffsll((long long)x));
    SAME("abs", abs((int)x >> 1), model_abs((int)x >> 1));
    SAME("labs", labs((long)x >> 1), model_labs((long)x >> 1));
    SAME("llabs", llabs((long long)x >> 1), model_llabs((long long)x >> 1));
#define BITS(name, type) SAME(#name, __builtin_##name((type)x), model___builtin_##name((type)x))
    BITS(popcount, unsigned);
    BITS(popcountl, unsigned long);
    BITS(popcountll, unsigned long long);
    BITS(parity, unsigned);
    BITS(parityl, unsigned long);
    BITS(parityll, unsigned long long);
    BITS(clrsb, int);
    BITS(clrsbl, long);
    BITS(clrsbll, long long);
    BITS(bswap16, unsigned short);
    BITS(bswap32, unsigned);
    BITS(bswap64, unsigned long long);
    // Of zero, these mean nothing.
    x |= 1ull << next() % 32;
    BITS(ctz, unsigned);
    BITS(ctzl, unsigned long);
    BITS(ctzll, unsigned long long);
    BITS(clz, unsigned);
    BITS(clzl, unsigned long);
    BITS(clzll, unsigned long long);
}

int main(void) {
    for (int i = 0; i < 20000 && !wrong; i++) {
        strings();
        numbers();
    }
    characters();
    return wrong;
}
