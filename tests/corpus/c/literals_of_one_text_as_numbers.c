// expect: unknown
extern void reach_error(void);
int main(void) {
    const char *p = "abc", *q = "abc";
    if ((unsigned long)p - (unsigned long)q == 0) reach_error();
    return 0;
}
