// expect: false
// What assembler text is given is computed, with all that this does.
extern void reach_error(void);
int x;
int f(void) { return ++x; }
int main(void) {
    asm volatile("" ::"r"((long)f()));
    if (x == 1) reach_error();
    return 0;
}
