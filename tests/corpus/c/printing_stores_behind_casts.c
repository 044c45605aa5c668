// expect: unknown
// How many bytes %n stores, the format says, and not what its argument was before a cast.
int printf(const char *, ...);
extern void reach_error(void);
int main(void) {
    int x = -1;
    char *c = (char *)&x;
    printf("%n", (int *)c);
    if (x != -1 && x != -256 && (x | 255) != -1) reach_error();
    return 0;
}
