// expect: true
// `__builtin_strlen` is the library's, whatever the program calls by that name.
extern void reach_error(void);
unsigned long strlen(const char *s) { return 77; }
int main(void) {
    char text[4];
    __builtin_strcpy(text, "ab");
    if (__builtin_strlen(text) != 2 || strlen(text) != 77) reach_error();
    if (__builtin_ffs(8) != 4 || __builtin_ctzll(8) != 3 || __builtin_parity(7) != 1) reach_error();
    __builtin___memset_chk(text, 'x', 3, sizeof text);
    if (text[2] != 'x') reach_error();
    return 0;
}
