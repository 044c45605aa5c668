// expect: true
void set(int *p, int v) { *p = v; }
int main(void) {
    int x = 1, y = 2;
    set(&x, 5);
    if (x != 5 || y != 2) reach_error();
    int *p = &y;
    *p += 3;
    if (y != 5) reach_error();
    return 0;
}
