// expect: true
extern void reach_error(void);
int weak_variable __attribute__((weak)) = 3;
__attribute__((weak)) int weak_function(void) { return 4; }
int main(void) {
    if (!weak_function || !&weak_variable) reach_error();
    if (weak_function() + weak_variable != 7) reach_error();
    return 0;
}
