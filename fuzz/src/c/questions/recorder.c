/* What compiled programs begin with: they write down what they meet, in memory that outlives them. */
extern int printf(const char *, ...);
extern int fflush(void *);
extern int fork(void);
extern int waitpid(int, int *, int);
extern unsigned alarm(unsigned);
extern void *mmap(void *, unsigned long, int, int, int, long);
extern void _exit(int) __attribute__((noreturn));
extern void abort(void) __attribute__((noreturn));
extern void exit(int) __attribute__((noreturn));

enum { SPACE = 60, VALUES = 4 };
static char *events;
static int met;
static unsigned inputs;

static void meets(char event) {
  if (met < SPACE)
    events[met++] = event;
}
static void ends_with(char event) {
  meets(event);
  _exit(0);
}
static unsigned input(void) {
  unsigned value = inputs % VALUES;
  inputs /= VALUES;
  return value;
}
static void run(void (*program)(void), unsigned number) {
  int status;
  for (met = 0; met <= SPACE; met++)
    events[met] = 0;
  met = 0;
  fflush(0);
  int child = fork();
  if (child == 0) {
    alarm(5);
    inputs = number;
    program();
    _exit(0);
  }
  waitpid(child, &status, 0);
  /* An alarm, or a fault that a program must not have. */
  int signal = status & 127;
  printf("%s%s\n", signal && signal != 6 ? "!" : "-", events);
}

_Bool __VERIFIER_nondet_bool(void) { return input() & 1; }
unsigned char __VERIFIER_nondet_uchar(void) { return input(); }
void __VERIFIER_assume(int holds) { if (!holds) _exit(0); }
void assert(int holds) { if (!holds) ends_with('A'); }
void reach_error(void) { meets('R'); }
static void passes(void) { meets('L'); }
static void rests(void) {}
static void divides(unsigned by) { if (by == 0) ends_with('D'); }
static void within(unsigned index, unsigned length) { if (index >= length) ends_with('B'); }
static void adds(int a, int b) { if (__builtin_add_overflow(a, b, &a)) meets('O'); }
static void multiplies(int a, int b) { if (__builtin_mul_overflow(a, b, &a)) meets('O'); }
