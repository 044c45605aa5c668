// expect: unknown
// Who else speaks of the target would have to define it.
extern void reach_error(void);
static int reference(int) __attribute__((weakref("target")));
int main(void) {
    if (!reference) reach_error();
    return 0;
}
