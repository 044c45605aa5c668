// expect: false property=valid-deref
int main(void) {
    int *last = 0;
    for (int i = 0; i < 2; i++) {
        int *p = &(int){ i };
        if (last) return *last;
        last = p;
    }
    return 0;
}
