// expect: true
int main(void) {
    int *p = 0;
    *p = 1;
    reach_error();
}
