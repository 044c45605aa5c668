// expect: true
// With one thread, atomic operations are what they do step by step.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x;
unsigned char u;
int *p;
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    x = a;
    if (__sync_fetch_and_or(&x, b) != a || x != (a | b)) reach_error();
    x = a;
    if (__sync_sub_and_fetch(&x, b) != (int)((unsigned)a - b) || __atomic_load_n(&x, 5) != x) reach_error();
    x = a;
    if (__sync_fetch_and_nand(&x, b) != a || x != ~(a & b)) reach_error();
    u = 255;
    if (__atomic_add_fetch(&u, 2, 0) != 1 || __atomic_fetch_xor(&u, 3, 0) != 1 || u != 2) reach_error();
    x = a;
    if (__sync_bool_compare_and_swap(&x, b, 7) != (a == b) || x != (a == b ? 7 : a)) reach_error();
    if (__sync_val_compare_and_swap(&x, x, 9) == 9 && a != 9 && a != b) reach_error();
    if (x != 9) reach_error();
    int expected = 8;
    if (__atomic_compare_exchange_n(&x, &expected, 5, 0, 5, 5) || expected != 9 || x != 9) reach_error();
    if (!__atomic_compare_exchange_n(&x, &expected, 5, 0, 5, 5) || x != 5) reach_error();
    if (__sync_lock_test_and_set(&x, 1) != 5 || x != 1) reach_error();
    __sync_lock_release(&x);
    if (x) reach_error();
    u = 0;
    if (__atomic_test_and_set(&u, 0) || !__atomic_test_and_set(&u, 0) || u != 1) reach_error();
    __atomic_clear(&u, 0);
    __atomic_store_n(&p, &x, 0);
    if (u || __atomic_exchange_n(&p, (int *)0, 0) != &x || p) reach_error();
    __sync_synchronize();
    __atomic_thread_fence(5);
    return 0;
}
