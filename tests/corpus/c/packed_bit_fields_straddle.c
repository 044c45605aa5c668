// expect: true
struct __attribute__((packed)) s { unsigned a : 3, b : 31, c : 6; };
union u { struct s s; unsigned char bytes[5]; };
int main(void) {
    union u u = { .s = { 5, 0x55555555, 33 } };
    struct s t = u.s, *p = &t;
    if (sizeof t != 5 || u.bytes[0] != 0xad || u.bytes[4] != 0x86) reach_error();
    p->b = 0x12345678;
    if (p->a != 5 || p->b != 0x12345678 || p->c != 33) reach_error();
    return 0;
}
