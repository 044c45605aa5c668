// expect: false
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
    char name[3] = "ab";
    print("%s\n", name);
    printf("%s\n", name);
    if (name[0] == 'a') reach_error();
    return 0;
}
