// expect: true
// An object lives from the entry of its block on, also if control does not pass its declaration.
int f(int n) {
    int *p;
    goto in;
    {
        int y;
    in:
        y = n;
        p = &y;
        if (n) f(n - 1);
        if (*p != n) reach_error();
    }
    switch (n) {
        int z;
    default:
        z = n;
        p = &z;
        if (n) f(n - 1);
        if (z != *p || z != n) reach_error();
    }
    return 0;
}
int main(void) { return f(2); }
