// expect: unknown
// A pointer from outside may mean a function that the program does not know.
struct operations { int (*open)(int); };
extern struct operations operations;
int main(void) {
    if (operations.open(3) == 5) reach_error();
    return 0;
}
