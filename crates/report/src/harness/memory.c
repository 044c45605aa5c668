
extern const char *__asan_get_report_description(void);

OURS static int is(const char *one, const char *other) {
    while (*one && *one == *other)
        one++, other++;
    return *one == *other;
}

/* What the sanitizer for memory calls. */
OURS void __asan_on_error(void) {
    const char *what = __asan_get_report_description();
    int is_free = is(what, "double-free") || is(what, "bad-free") || is(what, "attempting free");
    if (is_free == WRONG_FREE)
        reached(0, 0);
    say("tamis: another error of memory: "), say(what), say("\n");
    leave(1);
}

OURS const char *__asan_default_options(void) {
    return "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:malloc_fill_byte=0";
}
