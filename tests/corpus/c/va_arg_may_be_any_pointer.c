// expect: unknown
// What `va_arg` gives is not modelled, but it may be what the caller passed.
int x;
void f(int n, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, n);
    int *p = __builtin_va_arg(list, int *);
    __builtin_va_end(list);
    *p = 5;
}
int main(void) {
    f(1, &x);
    if (x) reach_error();
    return 0;
}
