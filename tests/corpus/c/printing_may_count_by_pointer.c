// expect: unknown
typedef struct file FILE;
extern FILE *stderr;
extern int fprintf(FILE *, const char *, ...);
extern void reach_error(void);
int (*print)(FILE *, const char *, ...) = fprintf;
int main(void) {
    long n = 0;
    print(stderr, "%d%-2ln", 12, &n);
    if (n == 2) reach_error();
    return 0;
}
