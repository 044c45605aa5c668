// expect: false property=reach-error
// The label stands for a question that is not asked: it does not end the run.
void reach_error(void);
int main(void) {
  goto ERROR;
ERROR:
  reach_error();
}
