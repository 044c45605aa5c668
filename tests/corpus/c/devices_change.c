// expect: false
// What a device's register holds may be something else at every read.
int main(void) {
    volatile unsigned char *status = 0;
    if (*(volatile unsigned char *)0x40001000 == 0 && *(volatile unsigned char *)0x40001000 == 1)
        reach_error();
    return status != 0;
}
