// expect: unknown
// Which of two objects lies first, the linker decides; that none is where error codes are, is known.
extern void reach_error(void);
int x, y;
int main(void) {
    unsigned long a = (unsigned long)&x, b = (unsigned long)&y;
    if (a > -4096UL || b < 4096) return 0;
    if (a < b) reach_error();
    return 0;
}
