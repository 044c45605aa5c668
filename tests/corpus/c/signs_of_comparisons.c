// expect: false
// Which string is less, and whether a character is a digit, is known.
extern int strcmp(const char *, const char *);
extern int isdigit(int);
extern void reach_error(void);
int main(void) {
    char a[2] = "a";
    int order = strcmp(a, "b");
    if (order < 0 && isdigit('7') && !isdigit(a[0])) reach_error();
    return 0;
}
