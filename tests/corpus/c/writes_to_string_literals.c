// expect: false property=valid-deref
int main(void) {
    char *s = "abc";
    s[0] = 'a';
    return 0;
}
