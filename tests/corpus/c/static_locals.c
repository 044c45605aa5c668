// expect: true
int count(void) { static int n = 5; return n++; }
int table[2][3] = {{1, 2}, [1] = {[2] = 9}};
int main(void) {
    count();
    if (count() != 6) reach_error();
    if (table[0][1] != 2 || table[0][2] != 0 || table[1][2] != 9) reach_error();
    return 0;
}
