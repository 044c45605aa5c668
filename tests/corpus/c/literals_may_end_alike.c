// expect: unknown
extern void reach_error(void);
int main(void) {
    const char *whole = "unlock", *end = "lock";
    if (whole + 2 == end) reach_error();
    return 0;
}
