// expect: false property=valid-deref
int main(void) {
    int *p;
    switch (1) {
        int x;
    case 1:
        x = 1;
        p = &x;
    }
    return *p;
}
