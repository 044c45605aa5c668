// A turnstile: a coin unlocks it, a push turns and locks it. Nobody passes without a coin.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { LOCKED, UNLOCKED, TURNING };

int main(void) {
    int state = LOCKED, paid = 0;
    unsigned events = 0;
    while (1) {
        int coin = __VERIFIER_nondet_int() != 0;
        events++;
        if (state == LOCKED && coin) {
            paid = 1;
            state = UNLOCKED;
        } else if (state == UNLOCKED && !coin) {
            state = TURNING;
        } else if (state == TURNING) {
            assert(paid);
            paid = 0;
            state = LOCKED;
        }
    }
}
