// expect: true
extern void reach_error(void);
const char *state(int on) { return on ? "on" : "off"; }
int main(void) {
    const char *same = state(1), *empty = "";
    char copy[] = "on";
    if (same != state(1) || same == state(0)) reach_error();
    if (copy == same || !same || same == copy) reach_error();
    return 0;
}
