// expect: true
union u { unsigned int word; unsigned char bytes[4]; };
int main(void) {
    union u u;
    u.word = 0x01020304;
    if (u.bytes[0] != 4 || u.bytes[3] != 1) reach_error();
    u.bytes[1] = 0xff;
    if (u.word != 0x0102ff04) reach_error();
    return 0;
}
