// expect: true
int one asm("name") = 4;
extern int two asm("name");
extern int name;
extern void reach_error(void);
int main(void) {
    two = 3;
    if (one != 3) reach_error();
    name = 5;
    if (two != 5) reach_error();
    return 0;
}
