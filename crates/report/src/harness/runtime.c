/* A C library for programs of 32 bits on x86 Linux, for machines that have none: as much of it as
 * the programs need that are replayed. Output is thrown away and input is at its end. Everything
 * that a program may define itself is weak. */

#define WEAK __attribute__((weak))

typedef __SIZE_TYPE__ size;

static int call(int number, int first, int second, int third) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory");
    return result;
}

WEAK long write(int file, const void *text, unsigned long length) { return call(4, file, (int)text, length); }

static void leave(int code) {
    for (;;)
        call(252, code, 0, 0);
}

WEAK void _exit(int code) { leave(code); }

/* Where functions stand that run before and after main. */
typedef void function(void);
extern function *__init_array_start[] __attribute__((visibility("hidden")));
extern function *__init_array_end[] __attribute__((visibility("hidden")));
extern function *__fini_array_start[] __attribute__((visibility("hidden")));
extern function *__fini_array_end[] __attribute__((visibility("hidden")));

static void finish(int code) {
    for (function **end = __fini_array_end; end > __fini_array_start;)
        (*--end)();
    leave(code);
}

WEAK void exit(int code) { finish(code); }

/* As the C library ends a process: by signal 6. */
WEAK void abort(void) {
    call(37, call(20, 0, 0, 0), 6, 0);
    leave(134);
}

extern int main();

__attribute__((used)) static void start(int *stack) {
    int count = *stack;
    char **arguments = (char **)(stack + 1);
    for (function **next = __init_array_start; next < __init_array_end; next++)
        (*next)();
    finish(main(count, arguments, arguments + count + 1));
}

__asm__(".globl _start\n_start:\n\txorl %ebp, %ebp\n\tmovl %esp, %eax\n\tandl $-16, %esp\n\tsubl $12, %esp\n\t"
        "pushl %eax\n\tcall start\n\thlt\n");

/* Memory is never used twice, and zero. Every object has its size before it. */
static char memory[1 << 28] __attribute__((aligned(16)));
static size used;

WEAK void *malloc(size bytes) {
    size needed = (bytes + 31) & ~(size)15;
    if (needed < bytes || needed > sizeof memory - used)
        return 0;
    char *object = memory + used + 16;
    used += needed;
    *(size *)(object - 16) = bytes;
    return object;
}

WEAK void *calloc(size count, size bytes) {
    return bytes && count > sizeof memory / bytes ? (void *)0 : malloc(count * bytes);
}

WEAK void free(void *object) { (void)object; }

WEAK void *memmove(void *to, const void *from, size count) {
    char *target = to;
    const char *source = from;
    if (target < source)
        for (size at = 0; at < count; at++)
            target[at] = source[at];
    else
        while (count--)
            target[count] = source[count];
    return to;
}

WEAK void *memcpy(void *to, const void *from, size count) { return memmove(to, from, count); }

WEAK void *memset(void *to, int byte, size count) {
    for (size at = 0; at < count; at++)
        ((char *)to)[at] = byte;
    return to;
}

WEAK int memcmp(const void *one, const void *other, size count) {
    const unsigned char *a = one, *b = other;
    for (size at = 0; at < count; at++)
        if (a[at] != b[at])
            return a[at] < b[at] ? -1 : 1;
    return 0;
}

WEAK void *memchr(const void *text, int byte, size count) {
    for (const unsigned char *at = text; count--; at++)
        if (*at == (unsigned char)byte)
            return (void *)at;
    return 0;
}

WEAK void *realloc(void *object, size bytes) {
    void *other = malloc(bytes);
    if (object && other) {
        size before = *(size *)((char *)object - 16);
        memcpy(other, object, before < bytes ? before : bytes);
    }
    return other;
}

WEAK size strlen(const char *text) {
    size length = 0;
    while (text[length])
        length++;
    return length;
}

WEAK int strncmp(const char *one, const char *other, size count) {
    for (size at = 0; at < count; at++) {
        unsigned char a = one[at], b = other[at];
        if (a != b || !a)
            return a < b ? -1 : a > b;
    }
    return 0;
}

WEAK int strcmp(const char *one, const char *other) { return strncmp(one, other, -1); }

WEAK char *strcpy(char *to, const char *from) { return memcpy(to, from, strlen(from) + 1); }

WEAK char *strncpy(char *to, const char *from, size count) {
    size at = 0;
    for (; at < count && from[at]; at++)
        to[at] = from[at];
    for (; at < count; at++)
        to[at] = 0;
    return to;
}

WEAK char *strncat(char *to, const char *from, size count) {
    size end = strlen(to), at = 0;
    for (; at < count && from[at]; at++)
        to[end + at] = from[at];
    to[end + at] = 0;
    return to;
}

WEAK char *strcat(char *to, const char *from) { return strncat(to, from, -1); }

WEAK char *strchr(const char *text, int character) { return memchr(text, character, strlen(text) + 1); }

WEAK char *strrchr(const char *text, int character) {
    for (size at = strlen(text) + 1; at--;)
        if (text[at] == (char)character)
            return (char *)text + at;
    return 0;
}

WEAK char *strstr(const char *text, const char *part) {
    for (size length = strlen(part);; text++) {
        if (!strncmp(text, part, length))
            return (char *)text;
        if (!*text)
            return 0;
    }
}

WEAK char *strdup(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : 0;
}

WEAK int abs(int number) { return number < 0 ? -(unsigned)number : number; }
WEAK long labs(long number) { return abs(number); }
WEAK long long llabs(long long number) { return number < 0 ? -(unsigned long long)number : number; }

WEAK int isdigit(int c) { return c >= '0' && c <= '9'; }
WEAK int isupper(int c) { return c >= 'A' && c <= 'Z'; }
WEAK int islower(int c) { return c >= 'a' && c <= 'z'; }
WEAK int isalpha(int c) { return isupper(c) || islower(c); }
WEAK int isalnum(int c) { return isalpha(c) || isdigit(c); }
WEAK int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
WEAK int toupper(int c) { return islower(c) ? c - 'a' + 'A' : c; }
WEAK int tolower(int c) { return isupper(c) ? c - 'A' + 'a' : c; }

WEAK void *stdin, *stdout, *stderr;
WEAK int printf(const char *format, ...) { return (void)format, 0; }
WEAK int fprintf(void *file, const char *format, ...) { return (void)file, (void)format, 0; }
WEAK int puts(const char *text) { return (void)text, 0; }
WEAK int putchar(int character) { return character; }
WEAK int fputs(const char *text, void *file) { return (void)text, (void)file, 0; }
WEAK int fputc(int character, void *file) { return (void)file, character; }
WEAK int putc(int character, void *file) { return (void)file, character; }
WEAK int fwrite(const void *text, size bytes, size count, void *file) { return (void)text, (void)bytes, (void)file, count; }
WEAK void perror(const char *text) { (void)text; }
WEAK int fflush(void *file) { return (void)file, 0; }
WEAK int getchar(void) { return -1; }
WEAK int fgetc(void *file) { return (void)file, -1; }
WEAK int getc(void *file) { return (void)file, -1; }
WEAK int rand(void) { return 0; }
WEAK long random(void) { return 0; }
WEAK void srand(unsigned seed) { (void)seed; }
WEAK void srandom(unsigned seed) { (void)seed; }

/* Division of 64 bits, which the compiler leaves to a library: bit by bit. */
static unsigned long long divide(unsigned long long number, unsigned long long by, unsigned long long *rest) {
    unsigned long long quotient = 0, left = 0;
    for (int bit = 63; bit >= 0; bit--) {
        int carry = left >> 63;
        left = left << 1 | (number >> bit & 1);
        if (carry || left >= by) {
            left -= by;
            quotient |= 1ULL << bit;
        }
    }
    *rest = left;
    return quotient;
}

/* The machine traps where a number is divided by zero, and so must this. */
static void check(unsigned long long by) {
    if (!by) {
        volatile int zero = 0;
        zero = 1 / zero;
    }
}

static unsigned long long magnitude(long long number) {
    return number < 0 ? -(unsigned long long)number : (unsigned long long)number;
}

WEAK unsigned long long __udivdi3(unsigned long long number, unsigned long long by) {
    unsigned long long rest;
    check(by);
    return divide(number, by, &rest);
}

WEAK unsigned long long __umoddi3(unsigned long long number, unsigned long long by) {
    unsigned long long rest;
    check(by);
    divide(number, by, &rest);
    return rest;
}

WEAK long long __divdi3(long long number, long long by) {
    unsigned long long quotient = __udivdi3(magnitude(number), magnitude(by));
    return (number < 0) != (by < 0) ? -quotient : quotient;
}

WEAK long long __moddi3(long long number, long long by) {
    unsigned long long rest = __umoddi3(magnitude(number), magnitude(by));
    return number < 0 ? -rest : rest;
}
