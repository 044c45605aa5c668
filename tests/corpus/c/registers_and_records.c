// expect: true
// A record with an array is read where integers become addresses.
void reach_error(void);
union word { long number; };
struct links { long *many[2]; struct links *self; };
int main(void) {
  union word u = {9};
  long x = 1;
  struct links s = {{&x, 0}, 0}, *p = &s, t = s;
  p->self = p;
  *t.many[0] = u.number;
  if (x != 9) reach_error();
}
