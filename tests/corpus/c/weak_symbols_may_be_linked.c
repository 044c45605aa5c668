// expect: false
extern void reach_error(void);
extern int hook(int) __attribute__((weak));
int main(void) {
    int (*call)(int) = hook;
    if (call && call(3) == 5) reach_error();
    return 0;
}
