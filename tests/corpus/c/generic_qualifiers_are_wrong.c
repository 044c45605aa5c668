// expect: false
extern void reach_error(void);
int main(void) {
    const char *s = "a";
    if (_Generic(s, char *: 1, const char *: 2) == 2) reach_error();
    return 0;
}
