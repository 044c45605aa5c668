// Strings and memory: string.h and strings.h, as C11 7.24 and POSIX define them.

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n]) n++;
    return n;
}

size_t strnlen(const char *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n]) n++;
    return n;
}

int strcmp(const char *a, const char *b) {
    size_t i = 0;
    while (a[i] && a[i] == b[i]) i++;
    return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : (unsigned char)a[i] > (unsigned char)b[i];
}

int strncmp(const char *a, const char *b, size_t n) {
    size_t i = 0;
    while (i < n && a[i] && a[i] == b[i]) i++;
    if (i == n) return 0;
    return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : (unsigned char)a[i] > (unsigned char)b[i];
}

int memcmp(const void *x, const void *y, size_t n) {
    const unsigned char *a = x, *b = y;
    size_t i = 0;
    while (i < n && a[i] == b[i]) i++;
    if (i == n) return 0;
    return a[i] < b[i] ? -1 : 1;
}

int strcasecmp(const char *a, const char *b) {
    size_t i = 0;
    while (a[i] && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i])) i++;
    return tolower((unsigned char)a[i]) - tolower((unsigned char)b[i]);
}

int strncasecmp(const char *a, const char *b, size_t n) {
    size_t i = 0;
    while (i < n && a[i] && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i])) i++;
    if (i == n) return 0;
    return tolower((unsigned char)a[i]) - tolower((unsigned char)b[i]);
}

int bcmp(const void *x, const void *y, size_t n) {
    const unsigned char *a = x, *b = y;
    size_t i = 0;
    while (i < n && a[i] == b[i]) i++;
    return i < n;
}

void bcopy(const void *from, void *to, size_t n) {
    memmove(to, from, n);
}

void bzero(void *to, size_t n) {
    memset(to, 0, n);
}

void *mempcpy(void *to, const void *from, size_t n) {
    memcpy(to, from, n);
    return (char *)to + n;
}

char *strcpy(char *to, const char *from) {
    size_t i = 0;
    while ((to[i] = from[i])) i++;
    return to;
}

char *stpcpy(char *to, const char *from) {
    size_t i = 0;
    while ((to[i] = from[i])) i++;
    return to + i;
}

char *strncpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to;
}

char *stpncpy(char *to, const char *from, size_t n) {
    size_t i = 0, end;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    end = i;
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to + end;
}

char *strcat(char *to, const char *from) {
    size_t n = 0, i = 0;
    while (to[n]) n++;
    while ((to[n + i] = from[i])) i++;
    return to;
}

char *strncat(char *to, const char *from, size_t m) {
    size_t n = 0, i = 0;
    while (to[n]) n++;
    while (i < m && from[i]) {
        to[n + i] = from[i];
        i++;
    }
    to[n + i] = 0;
    return to;
}

char *strchr(const char *s, int c) {
    size_t i = 0;
    while (s[i] != (char)c) {
        if (!s[i]) return 0;
        i++;
    }
    return (char *)s + i;
}

char *strchrnul(const char *s, int c) {
    size_t i = 0;
    while (s[i] && s[i] != (char)c) i++;
    return (char *)s + i;
}

char *strrchr(const char *s, int c) {
    size_t i = 0;
    char *last = 0;
    do {
        if (s[i] == (char)c) last = (char *)s + i;
    } while (s[i++]);
    return last;
}

char *index(const char *s, int c) {
    return strchr(s, c);
}

char *rindex(const char *s, int c) {
    return strrchr(s, c);
}

char *strstr(const char *s, const char *part) {
    size_t i = 0;
    for (;;) {
        size_t k = 0;
        while (part[k] && s[i + k] == part[k]) k++;
        if (!part[k]) return (char *)s + i;
        if (!s[i]) return 0;
        i++;
    }
}

size_t strspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n]) {
        size_t k = 0;
        while (set[k] && set[k] != s[n]) k++;
        if (!set[k]) return n;
        n++;
    }
    return n;
}

size_t strcspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n]) {
        size_t k = 0;
        while (set[k] && set[k] != s[n]) k++;
        if (set[k]) return n;
        n++;
    }
    return n;
}

char *strpbrk(const char *s, const char *set) {
    size_t n = strcspn(s, set);
    return s[n] ? (char *)s + n : 0;
}

void *memchr(const void *s, int c, size_t n) {
    const unsigned char *b = s;
    size_t i;
    for (i = 0; i < n; i++)
        if (b[i] == (unsigned char)c) return (void *)(b + i);
    return 0;
}

void *memrchr(const void *s, int c, size_t n) {
    const unsigned char *b = s;
    while (n) {
        n--;
        if (b[n] == (unsigned char)c) return (void *)(b + n);
    }
    return 0;
}

void *rawmemchr(const void *s, int c) {
    const unsigned char *b = s;
    size_t i = 0;
    while (b[i] != (unsigned char)c) i++;
    return (void *)(b + i);
}

char *strdup(const char *s) {
    size_t n = 0, i = 0;
    char *to;
    while (s[n]) n++;
    to = malloc(n + 1);
    if (!to) return 0;
    for (i = 0; i <= n; i++) to[i] = s[i];
    return to;
}

char *strndup(const char *s, size_t most) {
    size_t n = 0, i = 0;
    char *to;
    while (n < most && s[n]) n++;
    to = malloc(n + 1);
    if (!to) return 0;
    for (i = 0; i < n; i++) to[i] = s[i];
    to[n] = 0;
    return to;
}
