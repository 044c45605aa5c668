// expect: false
// TRACER's numbers have no bounds: a negative constant that meets an unsigned number stays negative.
unsigned start;
int main(void) {
    unsigned next = start;
    next += -1;
    if (start == 5) {
        _TRACER_abort(next == 4);
    }
    return 0;
}
