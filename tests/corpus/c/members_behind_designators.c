// expect: true
struct { struct { int a, b; }; int c; } x = { .a = 5, 6, 7 };
struct { short many[3]; char few[2]; } y = { .few = 3, 4 };
int main(void) {
    if (x.a != 5 || x.b != 6 || x.c != 7) reach_error();
    if (y.few[0] != 3 || y.few[1] != 4 || y.many[0] != 0) reach_error();
    return 0;
}
