// expect: false
// Nobody has to link a function that is declared weak.
extern void reach_error(void);
extern void hook(int) __attribute__((weak));
int main(void) {
    int n = 0;
    if (hook) {
        hook(1);
        n = 1;
    }
    if (n == 0) reach_error();
    return 0;
}
