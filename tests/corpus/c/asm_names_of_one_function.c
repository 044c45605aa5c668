// expect: false
int one(int) asm("name");
int two(int) asm("name");
int one(int x) { return x * 3; }
extern void reach_error(void);
int main(void) {
    if (two(5) == 15) reach_error();
    return 0;
}
