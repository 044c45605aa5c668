// expect: true
// On IA-32 members are aligned less than variables; `_Alignof` tells about members.
typedef double number;
struct pair { char c; double d; };
struct pair s;
double v;
extern void reach_error(void);
int main(void) {
    int small = sizeof(long) == 4 ? 4 : 8;
    if (__alignof__(double) != 8 || __alignof__(long long) != 8 || __alignof__(double[2]) != 8) reach_error();
    if (_Alignof(double) != small || _Alignof(number) != small || __alignof__(number) != 8) reach_error();
    if (__alignof__(s.d) != small || __alignof__(struct pair) != small || __alignof__(s) != small) reach_error();
    if (__alignof__(v) != 8 || _Alignof(v) != 8 || __alignof__(1.0) != 8) reach_error();
    if (__alignof__(long double) != (small == 4 ? 4 : 16)) reach_error();
    return 0;
}
