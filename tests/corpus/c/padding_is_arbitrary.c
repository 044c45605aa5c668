// expect: false
// What lies between members is unspecified (C11 6.2.6.1p6), also where an initialiser says all of them.
extern void *memcpy(void *, const void *, unsigned long);
extern void reach_error(void);
struct s {
    char c;
    short d;
};
int main(void) {
    struct s s = {1, 2};
    char bytes[sizeof s];
    memcpy(bytes, &s, sizeof s);
    if (bytes[0] != 1 || bytes[2] != 2 || bytes[3]) return 0;
    if (bytes[1]) reach_error();
    return 0;
}
