// expect: true
void assert(int);
static const long double limit = 3.25L;
int main(void) {
    assert((int)7.0L == 7);
    return 0;
}
