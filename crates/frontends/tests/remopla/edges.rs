//! What statements become.

use crate::check;

#[test]
fn a_guard_and_the_checks_of_its_first_statement_share_an_edge() {
    check(
        "int x(2);
         module void main() {
           if
           :: x > 0 -> x = x + 1;
           :: else -> x = 0;
           fi
         }",
        "main main() -> ()
           0 -> 1: assume And(BvUlt(0, x), BvUle(BvAdd(ZeroExtend(1)(x), 1), 3))  # x > 0
           1 -> exit: x := BvAdd(x, 1)  # x = x + 1
           0 -> 2: assume Not(BvUlt(0, x))  # else
           2 -> exit: x := 0  # x = 0",
    );
}

#[test]
fn jumps_take_no_edge_of_their_own() {
    check(
        "int x(2);
         module void main() {
           do
           :: x == 0 -> break;
           :: x == 1 -> goto error;
           :: x == 2 -> x = 0;
           :: x == 3 -> skip; return;
           od
           return;
           error: skip;
         }",
        "main main() -> ()
           0 -> exit: assume Eq(x, 0)  # x == 0
           0 -> 1(error): assume Eq(x, 1)  # x == 1
           0 -> 2: assume Eq(x, 2)  # x == 2
           2 -> 0: x := 0  # x = 0
           0 -> exit: assume Eq(x, 3)  # x == 3
           1(error) -> exit: assume true  # skip",
    );
}

#[test]
fn an_empty_body_returns_at_once() {
    check("module void main() { }", "main main() -> ()\n 0 -> exit: assume true  # }");
}

#[test]
fn conditions_that_always_hold_are_not_assumed() {
    check(
        "int x(2), y(3), a[4];
         define DEFAULT_INT_BITS 2
         module void main() { y = x + x; x = a[x]; }",
        "main main() -> ()
           0 -> 1: y := BvAdd(ZeroExtend(1)(x), ZeroExtend(1)(x))  # y = x + x
           1 -> exit: x := Ite(Eq(x, 0), a[0], Ite(Eq(x, 1), a[1], Ite(Eq(x, 2), a[2], a[3])))  # x = a[x]",
    );
}

#[test]
fn a_remainder_is_one_term() {
    check(
        "int x(4), y(4);
         module void main() { x = x - (x/y)*y; }",
        "main main() -> ()
           0 -> 1: assume Not(Eq(y, 0))  # x = x - (x/y)*y
           1 -> exit: x := BvUrem(x, y)  # x = x - (x/y)*y",
    );
}

#[test]
fn writes_through_indices_that_differ_need_no_check() {
    check(
        "bool a[3]; int i(2);
         module void main() { a[i] = true, a[i+1] = false; }",
        "main main() -> ()
           0 -> 1: assume And(BvUle(i, 2), BvUle(BvAdd(ZeroExtend(1)(i), 1), 2))  # a[i] = true, a[i+1] = false
           1 -> exit: a[0] := Or(Eq(i, 0), a[0]), a[1] := Or(Eq(i, 1), And(Not(Eq(ZeroExtend(1)(i), 0)), a[1])), a[2] := Or(Eq(i, 2), And(Not(Eq(ZeroExtend(1)(i), 1)), a[2]))  # a[i] = true, a[i+1] = false",
    );
}

#[test]
fn a_call_takes_its_result_directly_where_the_sorts_agree() {
    check(
        "int x(2), y(3);
         module int(2) f(int p(2)) { return p; }
         module void main() { x = f(1); y = f(x); f(y); }",
        "f(f::p) -> (f::$ret)
           0 -> exit: f::$ret := f::p  # return p
         main main() -> ()
           0 -> 1: x := f(1)  # x = f(1)
           1 -> 2: main::$any0 := f(x)  # y = f(x)
           2 -> 3: y := ZeroExtend(1)(main::$any0)  # y = f(x)
           3 -> 4: assume BvUle(y, 3)  # f(y)
           4 -> exit: main::$any0 := f(Extract { high: 1, low: 0 }(y))  # f(y)",
    );
}

#[test]
fn arguments_that_read_what_is_assigned_along_are_saved() {
    check(
        "int g(2);
         module void f(int p(2)) { skip; }
         module void main() { f(g), g = 0; }",
        "f(f::p) -> ()
           0 -> exit: assume true  # skip
         main main() -> ()
           0 -> 1: g := 0, main::$any0 := g  # f(g), g = 0
           1 -> exit: f(main::$any0)  # f(g), g = 0",
    );
}

#[test]
fn undefined_values_are_havoc_and_enums_stay_legal() {
    check(
        "int x(2);
         enum e { a, b, c } v;
         module void main() { x = undef, v = undef; v != b; }",
        "main main() -> ()
           0 -> 1: assume BvUle(v, 2)  # module void main()
           1 -> 2: havoc x, v  # x = undef, v = undef
           2 -> 3: assume BvUle(v, 2)  # x = undef, v = undef
           3 -> 4: havoc main::$any0  # v != b
           4 -> 5: assume And(Not(Eq(main::$any0, 1)), BvUle(main::$any0, 2))  # v != b
           5 -> exit: v := main::$any0  # v != b",
    );
}

#[test]
fn relations_assign_what_they_define_and_choose_the_rest() {
    check(
        "int x(2), y(2);
         module void main() { skip(x' == y && y' != y); skip(x' > 1); }",
        "main main() -> ()
           0 -> 1: havoc main::$any0  # skip(x' == y && y' != y)
           1 -> 2: assume Not(Eq(main::$any0, y))  # skip(x' == y && y' != y)
           2 -> 3: x := y, y := main::$any0  # skip(x' == y && y' != y)
           3 -> 4: havoc x  # skip(x' > 1)
           4 -> exit: assume BvUlt(1, x)  # skip(x' > 1)",
    );
}

#[test]
fn a_first_statement_with_a_label_has_its_own_location() {
    check(
        "bool b;
         module void main() {
           if :: true -> error: skip; :: b -> do :: b -> skip; od fi
         }",
        "main main() -> ()
           0 -> 1(error): assume true  # true
           1(error) -> exit: assume true  # skip
           0 -> 2: assume b  # b
           2 -> 2: assume b  # b",
    );
}

#[test]
fn labels_of_one_name_are_one_property_and_one_for_each_module() {
    let text = "module void f() { error: skip; l: skip; }
                module void main() { f(); error: skip; return; dead: skip; }";
    let (_, _, lowered) = crate::lower(text);
    let program = lowered.unwrap().program;
    let found: Vec<(&str, &str, usize)> =
        program.errors.iter().map(|p| (p.name.as_str(), p.about.as_str(), p.locs.len())).collect();
    let expected = [
        ("error", "label error is reached", 2),
        ("f:error", "label error of module f is reached", 1),
        ("main:error", "label error of module main is reached", 1),
        ("l", "label l is reached", 1),
        ("dead", "label dead is reached", 1),
    ];
    assert_eq!(found, expected);
    assert_eq!(program.default, program.find_property("error"));
}

#[test]
fn several_initial_symbols_are_called_in_turn() {
    check(
        "init f g;
         module void f() { skip; }
         module void g(bool p) { skip(p); }",
        "f() -> ()
           0 -> exit: assume true  # skip
         g(g::p) -> ()
           0 -> exit: assume g::p  # skip(p)
         main $init() -> ()
           0 -> 1: f()  # f
           1 -> 2: havoc $init::$any0  # g
           2 -> exit: g($init::$any0)  # g",
    );
}
