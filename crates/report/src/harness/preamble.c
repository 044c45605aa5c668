#define OURS __attribute__((no_instrument_function))
#define WEAK __attribute__((no_instrument_function, weak))

extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
extern void free(void *);

/* The system itself is asked, because the program may define functions that are called like these. */
#if defined __x86_64__ || defined __i386__
#ifdef __x86_64__
enum { WRITE = 1, EXIT = 231 };
#define ENTER "syscall"
#define ARGUMENTS "D"(first), "S"(second), "d"(third) : "rcx", "r11", "memory"
#else
enum { WRITE = 4, EXIT = 252 };
#define ENTER "int $0x80"
#define ARGUMENTS "b"(first), "c"(second), "d"(third) : "memory"
#endif
OURS static long enter(long number, long first, const void *second, long third) {
    long result;
    __asm__ volatile(ENTER : "=a"(result) : "a"(number), ARGUMENTS);
    return result;
}
OURS static void put(const char *text, unsigned long length) { enter(WRITE, 1, text, length); }
OURS static void leave(int code) { enter(EXIT, code, 0, 0); }
#else
extern long write(int, const void *, unsigned long);
extern void _exit(int);
OURS static void put(const char *text, unsigned long length) {
    if (write(1, text, length) < 0)
        _exit(1);
}
OURS static void leave(int code) { _exit(code); }
#endif

OURS static void say(const char *text) {
    unsigned long length = 0;
    while (text[length])
        length++;
    put(text, length);
}

OURS static void say_number(unsigned long number) {
    char digits[24];
    int at = sizeof digits - 1;
    digits[at] = 0;
    do
        digits[--at] = '0' + number % 10;
    while (number /= 10);
    say(digits + at);
}

/* The run ends here, and not at the error. */
OURS static void ended(const char *why) {
    say("tamis: "), say(why), say("\n");
    leave(1);
}

/* How many inputs were taken. */
static unsigned long taken;

/* The run has come to the error. If it came on another way than the trace, it is not that error. */
OURS static void reached(const char *file, unsigned line) {
    if (EXACT && taken != INPUTS) {
        say("tamis: the error is reached after "), say_number(taken), say(" inputs instead of ");
        say_number(INPUTS), say("\n");
        leave(1);
    }
    if (file)
        say("tamis: at "), say(file), say(":"), say_number(line), say("\n");
    say("tamis: error reached\n");
    leave(REACHED);
}
