// expect: true
void assert(int);
static double d = ~(unsigned __int128)0;
int main(void) {
    assert(*(unsigned long long *)&d == 0x47f0000000000000ULL);
    return 0;
}
