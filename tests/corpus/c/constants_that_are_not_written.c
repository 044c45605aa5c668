// expect: true property=valid-deref
static const char constant[] = "abc";
static const volatile int shared = 1;
int main(void) {
    const int local = 2;
    char copy[] = "abc", *s = constant[0] ? copy : (char *)constant;
    *s = 'x';
    *(int *)&local = 3;
    *(int *)&shared = 4;
    return *constant;
}
