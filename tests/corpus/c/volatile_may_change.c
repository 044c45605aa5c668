// expect: unknown
// An interrupt may set the flag; whether there is one is not in the program.
void reach_error(void);
volatile int flag;
int main(void) {
  while (!flag) {}
  reach_error();
}
