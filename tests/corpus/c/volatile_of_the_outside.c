// expect: false
// A register that another file or the linker defines gives something else at every read.
void reach_error(void);
extern volatile int status;
int main(void) {
  if (status == 3 && status == 4) reach_error();
}
