// expect: true property=valid-deref
int main(void) {
    int i = 0, *p, *last = 0, *null = 0;
again:
    p = &(int){ i };
    if (last) return last == p && *last == 1 ? 0 : *null;
    last = p;
    i++;
    goto again;
}
