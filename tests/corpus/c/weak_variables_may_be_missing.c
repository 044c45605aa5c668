// expect: false
extern void reach_error(void);
extern int variable;
#pragma weak variable
int main(void) {
    int *pointer = &variable;
    if (!pointer) reach_error();
    return 0;
}
