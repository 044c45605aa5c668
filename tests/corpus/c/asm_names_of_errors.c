// expect: false
void wrong(void) asm("reach_error");
int main(void) {
    wrong();
    return 0;
}
