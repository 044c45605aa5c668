// expect: true
extern int printf(const char *, ...);
extern int vprintf(const char *, __builtin_va_list);
extern void reach_error(void);
static void print(const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    vprintf(format, list);
    __builtin_va_end(list);
}
int main(void) {
    int kept = 1, m = 0, n = 0;
    printf("%d%% %p", 5, (void *)&kept);
    print("%s %d", "ab", kept);
    printf("%*d%n", 3, 4, &n);
    if (kept != 1 || m != 0) reach_error();
    return 0;
}
