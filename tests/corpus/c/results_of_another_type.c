// expect: unknown
extern void reach_error(void);
static float f(void) { return 0.0f; }
int main(void) {
    if (((int (*)(void))f)() != 0) reach_error();
    return 0;
}
