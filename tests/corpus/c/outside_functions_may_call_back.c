// expect: unknown
extern void on_event(void (*handler)(void));
void handler(void) { reach_error(); }
int main(void) {
    on_event(handler);
    return 0;
}
