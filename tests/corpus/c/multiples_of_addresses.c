// expect: unknown
// Which bits an address has depends on where the object lies, also after more arithmetic.
extern void reach_error(void);
int x;
int main(void) {
    if ((unsigned long)&x * 16 & 0xf0) reach_error();
    return 0;
}
