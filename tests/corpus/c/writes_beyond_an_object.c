// expect: unknown
char c = 1;
int main(void) {
    *(int *)&c = 2;
    if (c != 2) reach_error();
    return 0;
}
