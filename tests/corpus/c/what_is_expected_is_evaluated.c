// expect: true
int main(void) {
    int n = 1, i = 0, a[n][n];
    if (__builtin_expect(n, i++) != 1 || i != 1) reach_error();
    int *p = __builtin_assume_aligned(&n, 4, i++);
    if (*p != 1 || i != 2) reach_error();
    if (__builtin_constant_p(i++) || i != 2) reach_error();
    if (sizeof(int[i++]) != 8 || i != 3) reach_error();
    __builtin_object_size(&n + i++, 0);
    if (sizeof a[i++] != 4 || i != 4) reach_error();
    int rows[3][2], (*q)[2] = (int (*)[i++])rows;
    if (i != 5 || q != rows) reach_error();
    return 0;
}
