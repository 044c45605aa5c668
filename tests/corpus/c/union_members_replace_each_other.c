// expect: true
union u { int first; struct { int a, b; } both; } global = { .both.b = 1, .first = 7 };
int main(void) {
    union u local = { .first = 7, .both.b = 1 };
    if (global.both.a != 7 || global.both.b != 0) reach_error();
    if (local.both.a != 0 || local.both.b != 1) reach_error();
    return 0;
}
