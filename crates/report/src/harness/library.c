
/* Functions that the checker knows and a C library does not have. */
WEAK void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
    (void)what, (void)function, failed(file, line);
}
WEAK void __assert_perror_fail(int number, const char *file, unsigned line, const char *function) {
    (void)number, (void)function, failed(file, line);
}
WEAK void __assert(const char *what, const char *file, int line) { (void)what, failed(file, line); }
WEAK void __assert_func(const char *file, int line, const char *function, const char *what) {
    (void)function, (void)what, failed(file, line);
}
WEAK void __assert_rtn(const char *function, const char *file, int line, const char *what) {
    (void)function, (void)what, failed(file, line);
}
WEAK void assert(int holds) {
    if (!holds)
        failed(0, 0);
}
WEAK void __VERIFIER_assert(int holds) { assert(holds); }
WEAK void __CPROVER_assert(int holds, const char *what) { (void)what, assert(holds); }

WEAK void __VERIFIER_assume(int holds) {
    if (!holds)
        ended("an assumption fails");
}
WEAK void __CPROVER_assume(int holds) { __VERIFIER_assume(holds); }
WEAK void _ASSUME(int holds) { __VERIFIER_assume(holds); }
WEAK void _TRACER_assume(int holds) { __VERIFIER_assume(holds); }

WEAK void __VERIFIER_nondet_memory(void *memory, __SIZE_TYPE__ size) { (void)memory, (void)size; }
WEAK void __VERIFIER_atomic_begin(void) {}
WEAK void __VERIFIER_atomic_end(void) {}
WEAK void *kmalloc(__SIZE_TYPE__ size, int flags) { return (void)flags, calloc(1, size); }
WEAK void *vmalloc(__SIZE_TYPE__ size) { return calloc(1, size); }
WEAK void kfree(const void *object) { free((void *)object); }
WEAK void vfree(const void *object) { free((void *)object); }
WEAK int printk(const char *format, ...) { return (void)format, 0; }

/* Memory that is not set is zero. */
WEAK void *tamis_malloc(__SIZE_TYPE__ size) { return calloc(1, size); }
