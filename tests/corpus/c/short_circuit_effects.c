// expect: true
int calls;
int yes(void) { calls++; return 1; }
int main(void) {
    int x = 0;
    if (x && yes()) reach_error();
    if (calls != 0) reach_error();
    int y = (x || yes()) + (x ? yes() : 5);
    if (calls != 1 || y != 6) reach_error();
    int i = 0;
    int z = i++ + 10, w = ++i;
    if (z != 10 || w != 2 || i != 2) reach_error();
    return 0;
}
