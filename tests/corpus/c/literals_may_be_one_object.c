// expect: unknown
extern void reach_error(void);
const char *state(void) { return "idle"; }
int main(void) {
    if (state() != "idle") reach_error();
    return 0;
}
