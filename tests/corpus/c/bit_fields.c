// expect: true
struct flags { unsigned a : 3; int b : 4; unsigned c : 1; };
int main(void) {
    struct flags f = {0};
    f.a = 9;
    f.b = 15;
    f.c = 3;
    if (f.a != 1 || f.b != -1 || f.c != 1) reach_error();
    struct flags *p = &f;
    p->b = 7;
    p->a++;
    if (f.a != 2 || f.b != 7 || f.c != 1) reach_error();
    return 0;
}
