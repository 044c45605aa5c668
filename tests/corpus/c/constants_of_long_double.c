// expect: unknown
// They have more bits than those of `double`.
void assert(int);
int main(void) {
    assert((long long)(long double)9007199254740993LL == 9007199254740993LL);
    return 0;
}
