// expect: false property=valid-free
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int *p = malloc(sizeof(int)), *q = p;
    free(p);
    free(q);
    return 0;
}
