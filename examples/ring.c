/* A ring buffer of four bytes: no access is out of bounds, and what is read was written. */
#define SIZE 4

_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned char buffer[SIZE];
static unsigned head, used;

static void put(unsigned char byte) {
    buffer[(head + used) % SIZE] = byte;
    used++;
}

static unsigned char take(void) {
    unsigned char byte = buffer[head];
    head = (head + 1) % SIZE;
    used--;
    return byte;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        if (used < SIZE && __VERIFIER_nondet_bool())
            put(__VERIFIER_nondet_uchar() | 1);
        else if (used > 0 && take() == 0)
            reach_error();
    }
    return 0;
}
