// expect: true
struct s { int a, b; };
static const struct s one = { 1, 2 };
struct s copy = one, literal = (struct s){ 3, 4 }, *pointer = &(struct s){ 5, 6 };
int member = one.b + 1, numbers[2] = { [1] = (int)(1.5 * 4) };
long distance = &numbers[1] - numbers;
int main(void) {
    static struct s local = (struct s){ 7, 8 };
    if (copy.a != 1 || copy.b != 2 || literal.b != 4 || pointer->b != 6 || local.a != 7) reach_error();
    if (member != 3 || numbers[1] != 6 || distance != 1) reach_error();
    return 0;
}
