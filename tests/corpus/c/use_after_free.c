// expect: false property=valid-deref
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int *p = malloc(sizeof(int));
    *p = 1;
    free(p);
    return *p;
}
