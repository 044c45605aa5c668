// expect: true property=reach-error
unsigned height;
int main(void) {
    unsigned higher = height + 100;
    _TRACER_abort(higher < height);
    return 0;
}
