// expect: true
static const int constant = 1;
int main(void) {
    int *p = (int *)&constant;
    if (*p) *p = 2;
    reach_error();
}
