// expect: false
// An address that inputs, unions and foreign functions had a part in may still be a register's.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

union word {
  unsigned long number;
  volatile unsigned *pointer;
};

int main(void) {
  unsigned long at = 0x40000000 + (__VERIFIER_nondet_uint() & 4);
  union word word;
  word.number = 0x40001000;
  if (*word.pointer == *word.pointer) return 0;
  if (*(volatile unsigned *)at == 1 && *(volatile unsigned *)at == 2) reach_error();
  return 0;
}
