// expect: false
// That strings are equal, and which is less, is known.
extern int strcmp(const char *, const char *);
extern int isdigit(int);
extern void reach_error(void);
int main(void) {
    char a[3] = "ab";
    int order = strcmp(a, "ac");
    if (order < 0 && strcmp("ab", a) == 0 && isdigit('7') && !isdigit(a[0])) reach_error();
    return 0;
}
