// expect: true
union u { char bytes[100]; int words[25]; } global = { .words[20] = 5 };
union u with_one(union u v) { v.words[0] = 1; return v; }
int main(void) {
    union u copy = with_one(global);
    if (copy.words[20] != 5 || copy.bytes[0] != 1 || global.words[0] != 0) reach_error();
    return 0;
}
