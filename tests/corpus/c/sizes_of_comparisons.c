// expect: unknown
// Which negative number is returned is the library's choice.
extern int strcmp(const char *, const char *);
extern void reach_error(void);
int main(void) {
    if (strcmp("a", "c") == -1) reach_error();
    return 0;
}
