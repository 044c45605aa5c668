// expect: true
extern int strcmp(const char *, const char *);
extern int isdigit(int);
extern void reach_error(void);
int main(void) {
    int order = strcmp("b", "a"), twice = order, digit = isdigit('3');
    if (order <= 0 || twice != order || digit + 0 == 0) reach_error();
    if (isdigit('x') != 0) reach_error();
    return 0;
}
