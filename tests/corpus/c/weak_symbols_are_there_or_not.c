// expect: true
// Whether a weak symbol is linked does not change, and who uses one that is not there crashes.
extern void reach_error(void);
extern void hook(int) __attribute__((weak));
extern int variable __attribute__((weak));
static void (*const known)(int) = hook;
void local(int n) {}
int main(void) {
    int there = hook != 0;
    if (there != !!known) reach_error();
    hook(1);
    if (!hook) reach_error();
    variable = 2;
    if (&variable == 0) reach_error();
    if (!local) reach_error();
    return 0;
}
