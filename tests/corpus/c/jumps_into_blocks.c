// expect: true property=valid-deref
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) switch (i) {
        int x;
    default:
        x = i;
        int *p = &x;
        sum += *p;
    }
    goto inside;
    {
        int y;
    inside:
        y = sum;
        int *q = &y;
        return *q - 1;
    }
}
