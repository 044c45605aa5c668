// expect: true
extern void stop(int) __attribute__((noreturn));
_Noreturn void halt(void);
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    if (__VERIFIER_nondet_bool()) {
        stop(1);
        reach_error();
    }
    halt();
    reach_error();
}
