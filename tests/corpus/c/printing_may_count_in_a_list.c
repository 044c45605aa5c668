// expect: unknown
extern int vprintf(const char *, __builtin_va_list);
extern void reach_error(void);
static void print(const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    vprintf(format, list);
    __builtin_va_end(list);
}
int main(void) {
    int n = 0;
    print("%s%hhn", "ab", (signed char *)&n);
    if (n == 2) reach_error();
    return 0;
}
