// expect: true property=bounds
void *malloc(unsigned long);
struct inner {
    int n, a[1];
};
struct s {
    int k;
    struct inner last;
};
int main(void) {
    struct s *p = malloc(sizeof *p + 4 * sizeof(int));
    for (int i = 0; i < 5; i++) p->last.a[i] = i;
    return p->last.a[4];
}
