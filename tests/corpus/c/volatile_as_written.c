// expect: false
// Nobody need write to it: then the error is reached.
void reach_error(void);
volatile int flag;
int main(void) {
  volatile int *p = &flag;
  *p = 3;
  if (flag == 3) reach_error();
}
