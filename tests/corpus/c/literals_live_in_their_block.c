// expect: true property=valid-deref
struct s { int a, b; };
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        struct s *p = &(struct s){ i, 2 };
        int *q = (int[]){ 1, 2, 3 };
        sum += p->a + q[2];
    }
    return sum;
}
