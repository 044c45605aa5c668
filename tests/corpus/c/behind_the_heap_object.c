// expect: false property=valid-deref
void *malloc(unsigned long);
int main(void) {
    char *p = malloc(3);
    p[3] = 0;
    return 0;
}
