// expect: false property=valid-free
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int *p = malloc(4 * sizeof(int));
    free(p + 1);
    return 0;
}
