// expect: unknown
// The address may be that of `x`, and it may be another one.
int x;
extern void give(int *);
extern int *get(void);
int main(void) {
    give(&x);
    x = 0;
    int *p = get();
    *p = 5;
    if (x != 5) reach_error();
    return 0;
}
