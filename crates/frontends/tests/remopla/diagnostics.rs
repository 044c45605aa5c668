//! What is said about texts that are wrong.

use crate::check;

#[test]
fn syntax_errors_are_located_and_the_rest_is_read() {
    check(
        "int x(2)
         module void main() {
           x = ;
           x := 1;
           if :: x -> fi
           x == 1;
           x = 1 y = 2;
           x = -1;
           x = f(1) + 1;
         }",
        "2:10: expected `;` after the declaration
         3:16: expected an expression
         4:15: expected a statement (assign with `=` alone)
         5:23: expected a statement after `->`
         6:14: a comparison is no statement (assign with `=`, or wait for a condition with `skip(…)`)
         7:18: expected `;` after the statement
         8:16: there is no unary minus (write `0 - e` for `-e`)
         9:21: a call cannot be part of an expression (assign its result to a variable first: `x = f(…);`)",
    );
}

#[test]
fn texts_that_end_early_say_so() {
    check("module void main() { skip;", "1:27: expected `}` at the end of the module, but the text ends");
    check("module void main() { if :: true -> skip; }", "1:42: expected `::` or `fi`");
    check("init main", "1:10: expected `;` after the initial stack, but the text ends");
    check("define", "1:7: expected the name of a constant, but the text ends");
    check("", "1:1: the program has no start: neither `init` nor a module `main` (say where it starts: `init f;`)");
}

#[test]
fn strange_characters_are_one_error() {
    check(
        "module void main() { $$$ skip; \"open\n }",
        "1:22: this character is not part of Remopla
         1:32: this text has no end (close it with \" on the same line)",
    );
}

#[test]
fn what_is_not_supported_is_named() {
    check(
        "shared int x(2);
         signed int y(2);
         module void f() { fork f(); }
         module void main() {
           pchoice :: 0.5 -> x = 1; :: 0.5 -> x = 2; choicep;
           E i (0,1) x = i;
         }",
        "1:1: `shared` variables of several threads are not supported (remove `shared` if the program has one thread)
         2:10: `signed int` is not supported (use `int`, whose values are never negative; expressions may be)
         3:28: `fork` of threads is not supported (verify each thread as a program of its own)
         5:12: `pchoice`, the choice by probabilities, is not supported (write `if :: true -> … :: true -> … fi` to ask about all outcomes)
         6:12: an assignment under `E` is not supported (choose the index first: `i = undef; skip(low <= i && i <= high); a[i] = …`)",
    );
}

#[test]
fn declarations_are_checked() {
    check(
        "define N 4
         define N 5
         define Z 1 / 0
         define B 1 << 5000
         int a, x(0), y(2000), z[0](2), z2[3,2](1), w[1 << 20](1), v[2][70000](1), N(2);
         bool b(1), b;
         enum e { p, q }; enum e { p };
         struct s { int m[2](1); struct t { bool c; } u; bool m; };
         struct s arr[2], ok;
         enum unknown g; struct unknown h;
         int u[K](1), low[0-1,1](1);
         module void main() { int l(1), l(1); }
         module void main() { }
         module void f(int p(1)); module void f(int p(2)) { }",
        "2:17: the constant `N` is defined twice
         3:23: division by zero
         4:24: the distance of a shift is not between 0 and 4096
         5:14: the number of bits is not given (write `define DEFAULT_INT_BITS 8` first, or `x(8)` for `x`)
         5:19: the number of bits is 0, not between 1 and 1024
         5:25: the number of bits is 2000, not between 1 and 1024
         5:33: the array has no cells
         5:43: the array has no cells
         5:54: the array has more than 65536 cells
         5:72: the array has more than 65536 cells
         5:84: `N` is a constant already
         6:17: only `int` has a number of bits
         7:32: `enum e` is declared twice
         7:36: the constant `p` is defined twice
         8:55: a struct inside a struct (give it the fields of the inner struct)
         8:63: a second field `m`
         9:19: an array of structs that contain arrays
         10:15: unknown `enum unknown`
         10:33: unknown `struct unknown`
         11:16: `K` is not a constant (define it before: `define K 4`)",
    );
    check(
        "int low[0-1,1](1);
         module void main() { int l(1), l(1); }
         module void main() { }
         module void f(int p(1)); module void f(int p(2)) { }",
        "1:8: the first index is -1, which is not allowed
         2:41: `l` is declared twice
         3:22: a second body for the module `main`
         4:10: the prototype of `f` differs from the module (give both the same parameters and the same result)",
    );
}

#[test]
fn all_arrays_together_are_bounded() {
    check(
        "int a[40000](1), b[40000](1); module void main() { }",
        "1:18: the arrays of the program have more than 65536 cells together (make them smaller)",
    );
}

#[test]
fn types_are_checked() {
    check(
        "define DEFAULT_INT_BITS 2
         int x, a[2], m[2][2];
         bool b;
         enum e { p, q } v;
         enum f { r } w;
         struct s { int c; } t;
         module int give() { return 1; }
         module void main() {
           x = b;
           b = x;
           b = 1;
           x = x & 1 == 0;
           skip(x);
           skip(b == 1);
           x = unknown + 1;
           x = a;
           a = m;
           a = 0;
           m[0] = x;
           x[0] = 1;
           t.d = 1;
           x.c = 1;
           v = r;
           skip(v == w);
           p = 1;
           give = 1;
           b = give();
           x' = 1;
           if :: x' == 1 -> skip; :: else -> skip; fi
         }",
        "9:16: a truth value where `int` is needed
         10:16: a number where `bool` is needed (use `true` or `false`)
         11:16: a number where `bool` is needed (use `true` or `false`)
         12:20: expected a number, not a truth value (parenthesise: comparisons bind tighter than `&`, `^` and `|`)
         13:17: expected a truth value, not a number (compare it: `… != 0`)
         14:17: a truth value is compared with a number (truth values are `true` and `false`; comparisons bind tighter than `&`, `^` and `|`)
         15:16: unknown variable `unknown` (declare it)
         16:16: a value of type `int[2]` where `int` is needed
         17:16: a value of type `int[2][2]` where `int[2]` is needed
         18:16: a number where `int[2]` is needed
         19:12: `m` has 2 dimensions, but one index is given
         20:12: `x` is no array, but one index is given
         21:14: `t` has no field `d`
         22:14: `x` has no field `c`
         23:16: a value of `enum f` for a variable of `enum e`
         24:17: `enum e` is compared with `enum f`
         25:12: `p` is a constant, not a variable
         26:12: `give` is a module, not a variable (call it: `x = f(…);`)
         27:12: a number where `bool` is needed (use `true` or `false`)
         28:12: primes are not allowed here (relations between old and new values go into `skip(…)`; `''` is for rules that push)",
    );
}

#[test]
fn control_flow_is_checked() {
    check(
        "bool b;
         module void other() { elsewhere: skip; }
         module bool f(bool p) { if :: p -> return; :: else -> return true; fi skip; }
         module void main() {
           goto nowhere;
           goto elsewhere;
           goto other;
           break;
           l: skip;
           l: skip;
           if :: b -> skip; :: else -> skip; :: else -> skip; fi
           return b;
           b = f();
           b = f(true, false);
           b = other();
           unknown(b);
         }",
        "3:45: `f` returns a value, but none is given (write `return e;`)
         3:86: `f` ends without returning a value (end it with `return e;`)
         5:17: unknown label `nowhere` (write `nowhere:` before a statement of this module)
         6:17: `goto elsewhere` leaves the module (call a module instead; a jump stays inside its module)
         7:17: `goto other` leaves the module (call a module instead; a jump stays inside its module)
         8:12: `break` outside a `do`
         10:12: a second label `l` in one module
         11:49: a second `else` in one statement
         12:19: `main` returns nothing (write `return;`)
         13:16: `f` takes 1 argument, not 0
         14:16: `f` takes 1 argument, not 2
         15:16: `other` returns nothing (call it without `=`)
         16:12: unknown module `unknown` (define it: `module void name() { … }`)",
    );
    check("module void f(); module void main() { f(); }", "1:39: the module `f` is declared but has no body");
    check(
        "init nobody; module void main() { }",
        "1:6: the initial stack names `nobody`, which is no module (name a module, or a label of a statement outside modules)",
    );
}

#[test]
fn raw_rules_are_checked() {
    check(
        "int g(2);
         module void f(int p(2)) { int l(2); start: skip; }
         module void main() {
           int x(2);
           skip;
           q<a> --> q<b> (x'' == 1)
           r<a> --> q<f b> (l' == 1)
           q<a> --> q<start>
           q<a> --> q<nothing b>
           q<a b> --> q<c>;
           q<a> --> q<b c d>;
         }",
        "10:12: a rule starts with one stack symbol, as in `q<a> --> q<b>`
         11:27: a rule puts at most two symbols on the stack",
    );
    check(
        "int g(2);
         module void f(int p(2)) { int l(2); start: skip; }
         module void main() {
           int x(2);
           skip;
           q<a> --> q<b> (x'' == 1)
           r<a> --> q<f b> (l' == 1)
           q<a> --> q<start>
           q<a> --> q<nothing b>
         }
         module void g() { q<a> --> q<z> l: q<z> --> q<> }",
        "6:12: a statement leads into a raw rule (end the statements before it with `goto` or `return`)
         6:27: primes are not allowed here (relations between old and new values go into `skip(…)`; `''` is for rules that push)
         7:12: a second control location `r` besides `q` (keep it in a global variable of an enum type)
         7:29: a rule sets `l`, which is no parameter of `f` (make it a parameter)
         8:23: the rule leaves its module for `start` (push the other module: `q<a> --> q<f b>`)
         9:23: unknown module `nothing` (define it: `module void name() { … }`)
         11:30: the first rule of the module does not start with `g` (the name of a module is the symbol of its first statement)
         11:42: a label in front of a raw rule (its symbols are its labels)",
    );
}

#[test]
fn expansion_is_bounded() {
    check(
        "int a[4](1); module void main() { skip(A i (0,1000000000000) a[0] == i); }",
        "1:45: quantifiers and array indices expand to more than 4194304 terms (use smaller ranges and arrays)",
    );
    check(
        "int a[4](1);
         module void main() { skip(A i (0,9999) A j (0,9999) A k (0,9999) a[0] == i + j + k); }",
        "2:75: quantifiers and array indices expand to more than 4194304 terms (use smaller ranges and arrays)",
    );
    check(
        "int x(1024); module void main() { x = x * x * x * x * x; x = x << x; }",
        "1:39: the exact value needs more than 4096 bits (use fewer bits: mask the distance of a shift with `&`, or split the expression)
         1:62: the exact value needs more than 4096 bits (use fewer bits: mask the distance of a shift with `&`, or split the expression)",
    );
}

#[test]
fn suspicious_statements_are_warnings() {
    check(
        "int x(2), a[2](1);
         module void main() { x = 1, x = 2; a[2] = 0; }",
        "main main() -> ()
           0 -> 1: assume false  # x = 1, x = 2
           1 -> 2: x := 1  # x = 1, x = 2
           2 -> exit: assume false  # a[2] = 0
         2:31: warning: a variable is assigned different values at once: the statement blocks
         2:47: warning: the index is never between 0 and 1",
    );
}
