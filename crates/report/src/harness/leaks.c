
/* Objects that are made and not freed. */
static long living;

OURS void *tamis_count_malloc(__SIZE_TYPE__ size) { return living++, calloc(1, size); }
OURS void *tamis_count_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) { return living++, calloc(count, size); }
OURS void tamis_count_free(void *object) {
    living -= object != 0;
    free(object);
}

OURS __attribute__((destructor)) static void at_end(void) {
    if (living > 0)
        reached(0, 0);
}

/* Ends of the program that the C library does not tell of. */
OURS void abort(void) { at_end(), leave(134); }
OURS void _Exit(int code) { at_end(), leave(code); }
OURS void quick_exit(int code) { at_end(), leave(code); }
