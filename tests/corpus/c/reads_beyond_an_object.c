// expect: unknown
char c = 1;
int main(void) {
    int beyond = *(int *)&c;
    if ((beyond & 255) != 1) reach_error();
    if (beyond != 1) reach_error();
    return 0;
}
