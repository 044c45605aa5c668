// expect: true
// A static object has zeros between its members (C11 6.7.9p10).
extern void *memcpy(void *, const void *, unsigned long);
extern void reach_error(void);
struct s {
    char c;
    short d;
} s = {1, 2};
int main(void) {
    char bytes[sizeof s];
    memcpy(bytes, &s, sizeof s);
    if (bytes[1]) reach_error();
    return 0;
}
