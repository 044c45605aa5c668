// expect: true
union u { int first; struct { int a, b; } both; };
union u global = { .both.a = 2, .both.b = 1 };
struct s { int tag; union { int word; struct { short low, high; }; }; };
int main(void) {
    union u local = { .both.a = 3, .both.b = 4 };
    struct s s = { 1, .low = 5, .high = 6 };
    if (global.both.a != 2 || global.both.b != 1) reach_error();
    if (local.both.a != 3 || local.both.b != 4) reach_error();
    if (s.tag != 1 || s.word != 0x60005) reach_error();
    return 0;
}
