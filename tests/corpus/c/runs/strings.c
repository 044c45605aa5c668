// expect: true
unsigned long strlen(const char *);
int strcmp(const char *, const char *);
char *strcpy(char *, const char *);
int main(void) {
    char b[8];
    strcpy(b, "tamis");
    if (strlen(b) != 5 || strcmp(b, "tamis") != 0 || strcmp(b, "tamit") >= 0) reach_error();
    return 0;
}
