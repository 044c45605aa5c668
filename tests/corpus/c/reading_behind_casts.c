// expect: unknown
// What is read is as wide as the format says, and not as what its argument was before a cast.
int scanf(const char *, ...);
extern void reach_error(void);
int main(void) {
    int x = -1;
    short *c = (short *)&x;
    scanf("%d", (int *)c);
    if ((x >> 16) != -1) reach_error();
    return 0;
}
