#include <assert.h>

int __VERIFIER_nondet_int(void);

/* The middle of a range, as in many a binary search. */
static int middle(int low, int high) {
    return (low + high) / 2;
}

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    if (low < 0 || high < low)
        return 0;
    int mid = middle(low, high);
    assert(low <= mid && mid <= high);
    return 0;
}
