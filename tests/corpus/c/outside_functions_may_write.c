// expect: unknown
extern void fill(int *);
int main(void) {
    int x = 0;
    fill(&x);
    if (x) reach_error();
    return 0;
}
