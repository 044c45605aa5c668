// Characters: ctype.h in the locale "C", C11 7.4, and the table that the header of glibc reads.

int isdigit(int c) {
    return c >= '0' && c <= '9';
}

int isupper(int c) {
    return c >= 'A' && c <= 'Z';
}

int islower(int c) {
    return c >= 'a' && c <= 'z';
}

int isalpha(int c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int isalnum(int c) {
    return isalpha(c) || isdigit(c);
}

int isspace(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int isblank(int c) {
    return c == ' ' || c == '\t';
}

int isxdigit(int c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

int iscntrl(int c) {
    return (c >= 0 && c < 32) || c == 127;
}

int isprint(int c) {
    return c >= 32 && c < 127;
}

int isgraph(int c) {
    return c > 32 && c < 127;
}

int ispunct(int c) {
    return isgraph(c) && !isalnum(c);
}

int isascii(int c) {
    return c >= 0 && c < 128;
}

int toascii(int c) {
    return c & 127;
}

int toupper(int c) {
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

int tolower(int c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

// By character from -128 to 255: a bit for each class.
const unsigned short **__ctype_b_loc(void) {
    static const unsigned short table[384] = {
        [128 ... 136] = 0x0002,
        [137] = 0x2003,
        [138 ... 141] = 0x2002,
        [142 ... 159] = 0x0002,
        [160] = 0x6001,
        [161 ... 175] = 0xc004,
        [176 ... 185] = 0xd808,
        [186 ... 192] = 0xc004,
        [193 ... 198] = 0xd508,
        [199 ... 218] = 0xc508,
        [219 ... 224] = 0xc004,
        [225 ... 230] = 0xd608,
        [231 ... 250] = 0xc608,
        [251 ... 254] = 0xc004,
        [255] = 0x0002,
    };
    static const unsigned short *start = table + 128;
    return &start;
}
