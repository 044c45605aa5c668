// expect: true
// Until the list ends, a constant has the type of its expression.
void assert(int);
enum { A = 0x80000000u, B = (-A > 0), S = sizeof(A) };
enum { P = 1, Q = ~0u, R = (Q + 1 == 0) };
int main(void) {
    assert(B == 1 && S == 4 && R == 1);
    return 0;
}
