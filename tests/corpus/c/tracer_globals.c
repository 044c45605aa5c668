// expect: false property=reach-error
int limit;
int main(void) {
    _TRACER_abort(limit == 7);
    return 0;
}
