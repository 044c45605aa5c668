// expect: false
int main(void) {
    _Bool b = 0;
    *(unsigned char *)&b = 2;
    if (b) reach_error();
    return 0;
}
