// expect: true
struct packet { int length; short data[]; };
static struct packet packet = {3, {7, 8, -9}};
int main(void) {
    int sum = 0;
    for (int i = 0; i < packet.length; i++) sum = sum * 10 + packet.data[i];
    if (sum != 771) reach_error();
    return 0;
}
