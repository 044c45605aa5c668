// expect: false property=bounds
// An index is compared with the length before it is cut to the width of an address.
int a[3];
int main(void) {
    __int128 i = ((__int128)1 << 64) + 1;
    a[i] = 1;
    return 0;
}
