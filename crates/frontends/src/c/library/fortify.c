// What glibc's headers and GCC make of calls whose object's size is known: the last arguments are
// sizes, and a call that writes beyond them ends the run, as __chk_fail does.

void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) {
    if (n > size) abort();
    return memcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t size) {
    if (n > size) abort();
    return memmove(to, from, n);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size) {
    if (n > size) abort();
    memcpy(to, from, n);
    return (char *)to + n;
}

void *__memset_chk(void *to, int c, size_t n, size_t size) {
    if (n > size) abort();
    return memset(to, c, n);
}

char *__strcpy_chk(char *to, const char *from, size_t size) {
    if (strlen(from) >= size) abort();
    return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t size) {
    if (strlen(from) >= size) abort();
    return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) {
    if (n > size) abort();
    return strncpy(to, from, n);
}

char *__strcat_chk(char *to, const char *from, size_t size) {
    if (strlen(to) + strlen(from) >= size) abort();
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t size) {
    if (strlen(to) + strnlen(from, n) >= size) abort();
    return strncat(to, from, n);
}
