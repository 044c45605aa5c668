// expect: true
// TRACER's numbers have no bounds: a run in which arithmetic would wrap around is none.
unsigned up, down;
int main(void) {
    unsigned biased = up + 100;
    if (biased <= down) {
        _TRACER_abort(up > down);
    }
    return 0;
}
