// expect: true
// Every activation has its own object.
int down(int n, int *up) {
    int own = n;
    if (n > 0) down(n - 1, &own);
    if (up) *up = *up + 1;
    return own;
}
int main(void) {
    if (down(3, 0) != 4) reach_error();
    return 0;
}
