// expect: false property=valid-memcleanup
void *malloc(unsigned long);
int main(void) {
    int *p = malloc(sizeof(int));
    return p == 0;
}
