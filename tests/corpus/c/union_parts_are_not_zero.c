// expect: false
int main(void) {
    union { int first; struct { int a, b; } both; } u = { .both.a = 2, .both.b = 1 };
    if (u.both.a != 0) reach_error();
    return 0;
}
