// expect: true
struct point { int x; short y[2]; };
struct point moved(struct point p) { p.x++; p.y[1] = p.y[0]; return p; }
int main(void) {
    struct point a = {1, {2, 3}}, b;
    b = moved(a);
    if (a.x != 1 || a.y[1] != 3) reach_error();
    if (b.x != 2 || b.y[1] != 2) reach_error();
    return 0;
}
