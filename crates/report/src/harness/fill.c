
/* Bytes of variables that are not set: those of every cell, but for some. */
struct value {
    unsigned long first, count;
    unsigned char rest[64];
};
struct cell {
    unsigned long at;
    unsigned char bytes[64];
};

OURS static void fill(unsigned char *object, unsigned long size, unsigned long width, const struct value *value,
                      const struct cell *cells) {
    unsigned long at, cell;
    for (at = 0; at < size / width * width; at++)
        object[at] = value->rest[at % width];
    for (cell = value->first; cell < value->first + value->count; cell++)
        for (at = 0; at < width && cells[cell].at < size / width; at++)
            object[cells[cell].at * width + at] = cells[cell].bytes[at];
}
