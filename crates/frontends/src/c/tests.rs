//! What the front half of C makes of small texts, and that a real compiler agrees.

use super::read::{on_large_stack, read};
use super::tree::{Expr, ExprKind, Init, Step, Storage, Unit};
use super::types::DataModel;
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use tamis_ir::{Diagnostic, Severity, Sources};
use tamis_testing::has;
use tamis_testing::tools::{COMPILER, COMPILER_32};

/// Reads texts as files of one program, and hands the tree to `look` where it may be deep.
fn with<T: Send>(
    texts: &[&str],
    model: DataModel,
    look: impl FnOnce(Result<(Unit, Vec<Diagnostic>), Vec<Diagnostic>>) -> T + Send,
) -> (T, Sources) {
    let mut sources = Sources::new();
    let files: Vec<_> = (0..).zip(texts).map(|(at, text)| sources.add(format!("{at}.c"), *text)).collect();
    let result = on_large_stack(|| look(read(&mut sources, &files, model))).unwrap();
    (result, sources)
}

fn reads(texts: &[&str]) {
    let (errors, _) = with(texts, DataModel::Lp64, Result::err);
    assert!(errors.is_none(), "{texts:?}: {errors:?}");
}

/// The first error of a program: its line, and that its message has these words.
fn fails(texts: &[&str], line: u32, words: &str) {
    let (errors, sources) = with(texts, DataModel::Lp64, Result::err);
    let errors = errors.unwrap_or_else(|| panic!("{texts:?} is read"));
    let error = errors.iter().find(|error| error.severity == Severity::Error).unwrap();
    assert!(error.message.contains(words), "{texts:?}: {errors:?}");
    assert_eq!(sources.position(error.span).unwrap().line, line, "{texts:?}: {error:?}");
}

/// The lengths of all arrays of a text must be what the system's compiler computes.
fn agrees(text: &str) {
    for (model, flag, tool) in [(DataModel::Lp64, "-m64", COMPILER), (DataModel::Ilp32, "-m32", COMPILER_32)] {
        if !has(&tool) {
            continue;
        }
        let (sizes, _) = with(&[text], model, |result| {
            let (unit, _) = result.unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
            let named = unit.objects.iter().filter(|object| !object.name.starts_with('$'));
            named.map(|object| (object.name.clone(), unit.types.size_of(object.ty))).collect::<Vec<_>>()
        });
        let mut program = text.to_owned();
        for (name, size) in sizes {
            let Some(size) = size else { continue };
            writeln!(program, "_Static_assert(sizeof {name} == {size}, \"{name} {size}\");").unwrap();
        }
        let complaint = compile(&program, flag);
        assert!(complaint.is_empty(), "{flag}: {complaint}\n{program}");
    }
}

/// What the system's compiler complains about.
fn compile(program: &str, flag: &str) -> String {
    let mut compiler = Command::new("cc")
        .args([flag, "-w", "-std=gnu11", "-fsyntax-only", "-xc", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut compiler.stdin.take().unwrap(), program.as_bytes()).unwrap();
    let output = compiler.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn records_are_laid_out_as_by_the_compiler() {
    let records = [
        "char a; int b; char c",
        "char a; long long b; short c; double d",
        "char a; long double b; void *c; char d",
        "int a : 3; int b : 30; int c : 5",
        "char a; int b : 7; int c : 26; char d",
        "char a : 4; int b : 4; short c : 9; char d : 1",
        "int a : 3; int : 0; int b : 3; char c",
        "char a; int : 0; char b",
        "char a; long long b : 40; int c : 20; long long d : 5",
        "int a; long long b : 30; long long c : 40; char d",
        "_Bool a : 1; _Bool b : 1; unsigned c : 31; _Bool d",
        "short a : 12; short b : 5; int : 3; char c",
        "char a; struct { int b; char c; }; union { short d; char e[5]; }",
        "char a; int b[]",
        "char a; int b __attribute__((aligned(16))); char c",
        "char a; int b __attribute__((packed)); short c",
        "int a; enum { P, Q } b; char c; enum { R = -1, S } d",
        "char a; struct { char x; short y; } b[3]; char c",
    ];
    let mut text = String::new();
    for (at, members) in records.iter().enumerate() {
        for (kind, prefix, suffix) in [
            ("struct", "", ""),
            ("struct", "", " __attribute__((aligned(32)))"),
            ("struct", "__attribute__((aligned(8))) ", ""),
            ("union", "", ""),
        ] {
            if kind == "union" && (members.contains("[]") || members.contains('P'))
                || members.contains('P') && text.contains(" P,")
            {
                continue;
            }
            let name = format!("{at}{}{}{}", kind.len(), prefix.len(), suffix.len());
            writeln!(text, "{kind} {prefix}s{name} {{ {members}; }}{suffix};").unwrap();
            writeln!(text, "struct {{ char before; {kind} s{name} s; }} w{name}; {kind} s{name} o{name};").unwrap();
            writeln!(text, "char a{name}[_Alignof({kind} s{name})];").unwrap();
            for member in ["a", "b", "c", "d"] {
                if members.contains(&format!(" {member};")) || members.ends_with(&format!(" {member}")) {
                    writeln!(text, "char f{name}{member}[1 + __builtin_offsetof({kind} s{name}, {member})];").unwrap();
                }
            }
        }
    }
    agrees(&text);
    agrees(
        "struct s { char a; int b; long long c; } __attribute__((packed)); struct s x[2]; char y[sizeof(struct s)];",
    );
    agrees("struct __attribute__((packed)) s { char a; int b : 5; int c : 6; long long d; }; struct s x[2];");
    agrees(
        "struct __attribute__((packed)) s { int a : 5; int b : 30; short c : 9; long long d : 60; }; struct s x[2];",
    );
    agrees(
        "int a __attribute__((aligned(16))); struct { char c; int b __attribute__((packed)); } s; void f(void);
        void g(void) __attribute__((aligned(64))); char x[__alignof__(a)], y[__alignof__(s.b)], z[__alignof__(f)];
        char w[__alignof__(g)];",
    );
}

/// One array per type, so long that its length names the type.
const TYPE_NUMBER: &str = "#E, _Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, unsigned short: 6, int: 7, \
    unsigned: 8, long: 9, unsigned long: 10, long long: 11, unsigned long long: 12, float: 13, double: 14, \
    long double: 15, char *: 16, int *: 17, void *: 18, default: 19";

#[test]
fn expressions_have_the_types_of_the_compiler() {
    let mut text = String::from(
        "_Bool b; char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l;\n\
         unsigned long ul; long long ll; unsigned long long ull; float f; double d; long double ld; char *p; int *q;\n\
         void *v; struct { unsigned w : 3; unsigned x : 32; int y : 32; unsigned char z : 8; } r; enum { K = 1, M = -1 } e;\n",
    );
    let names = [
        "b", "c", "sc", "uc", "s", "us", "i", "u", "l", "ul", "ll", "ull", "f", "d", "ld", "r.w", "r.x", "r.y", "r.z",
        "K", "e",
    ];
    let mut expressions: Vec<String> = Vec::new();
    for left in names {
        expressions.extend([format!("+{left}"), format!("-{left}"), format!("!{left}")]);
        for right in names {
            expressions.extend([
                format!("{left} * {right}"),
                format!("{left} < {right}"),
                format!("1 ? {left} : {right}"),
            ]);
        }
    }
    expressions.extend(
        [
            "1 ? p : 0",
            "1 ? 0 : q",
            "1 ? v : q",
            "1 ? (void *)0 : q",
            "q + 1",
            "q - q",
            "&q[1] - q",
            "sizeof q",
            "'a'",
            "L'a'",
            "u'a'",
            "U'a'",
            "1u",
            "1l",
            "1ull",
            "2147483648",
            "0x80000000",
            "4294967296",
            "0xffffffffffffffff",
            "017777777777",
            "1.0f",
            "1.0",
            "1.0L",
            "\"x\"",
            "(char)1",
            "uc << 1",
            "ul >> 1",
            "c = 1",
            "us += 1",
            "i++",
            "(c, s)",
            "~uc",
            "u8\"x\"",
            "({ s; })",
            "i ?: l",
            "__builtin_expect(i, 1)",
            "*q",
            "&i",
            "p[0]",
            "-2147483648",
            "b | b",
            "c ?: 0",
        ]
        .map(str::to_owned),
    );
    for (at, expression) in expressions.iter().enumerate() {
        let selection = TYPE_NUMBER.replace("#E", expression);
        if expression.contains('{') {
            continue;
        }
        writeln!(text, "char t{at}[_Generic({selection})];").unwrap();
    }
    agrees(&text);
}

/// A random integer constant expression.
fn random(rng: &mut fastrand::Rng, depth: u32) -> String {
    let types = [
        "char",
        "unsigned char",
        "short",
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "_Bool",
    ];
    if depth == 0 {
        let suffix = ["", "u", "l", "ul", "ll", "ull"][rng.usize(..6)];
        let value = rng.u64(..) >> rng.u32(1..64);
        return match rng.u32(..4) {
            0 => format!("{}{suffix}", value % 100),
            1 => format!("{value:#x}{suffix}"),
            2 => format!("0{value:o}{suffix}"),
            _ => format!("'\\x{:x}'", value & 0xff),
        };
    }
    let left = random(rng, depth - 1);
    match rng.u32(..12) {
        0 => format!("(-{left})"),
        1 => format!("(~{left})"),
        2 => format!("(!{left})"),
        3 => format!("({} ? {left} : {})", random(rng, depth - 1), random(rng, depth - 1)),
        4 | 5 => format!("(({}){left})", types[rng.usize(..types.len())]),
        6 => format!("({left} {} {})", ["<<", ">>"][rng.usize(..2)], rng.u32(..31)),
        7 => format!("({left} {} ({} | 1))", ["/", "%"][rng.usize(..2)], random(rng, depth - 1)),
        _ => {
            let operator = ["&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"][rng.usize(..11)];
            format!("({left} {operator} {})", random(rng, depth - 1))
        }
    }
}

#[test]
fn constants_are_what_the_compiler_computes() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut text = String::new();
    for at in 0..300 {
        // Unsigned arithmetic only, as the compiler refuses signed overflow and shifts of negatives.
        let depth = rng.u32(1..4);
        let expression = random(&mut rng, depth).replace("(-", "(0ull - ");
        if expression.contains(['/', '%']) || expression.contains("<<") {
            let expression = format!("(0ull + {})", random(&mut rng, 0));
            writeln!(text, "char k{at}[1 + ({expression} % 1000u)];").unwrap();
            continue;
        }
        for (part, shift) in [("a", 0), ("b", 16), ("c", 32), ("d", 48)] {
            writeln!(text, "char {part}{at}[1 + (((unsigned long long){expression} >> {shift}) & 0xffff)];").unwrap();
        }
        writeln!(text, "char s{at}[sizeof({expression})];").unwrap();
    }
    agrees(&text);
    agrees("char a[(int)3.9]; char b[(int)(1.5f * 4)]; char d[1 + (0.1f == 0.1)];");
    agrees("struct s { int a; struct { char b[7]; } c[2]; }; char a[1 + (unsigned long)&((struct s *)0)->c[1].b[3]];");
}

/// An initialiser as text: `path=value` in order.
fn flat(init: &Init) -> String {
    let path = |path: &[Step]| {
        path.iter().fold(String::new(), |text, step| match step {
            Step::Field(field) => format!("{text}.{field}"),
            Step::Index(index) => format!("{text}[{index}]"),
        })
    };
    let value = |expr: &Expr| {
        if let ExprKind::Int(value) = &expr.kind {
            value.to_string()
        } else if let ExprKind::Float(value) = &expr.kind {
            value.to_string()
        } else {
            "&".to_owned()
        }
    };
    init.items.iter().map(|(steps, expr)| format!("{}={}", path(steps), value(expr))).collect::<Vec<_>>().join(" ")
}

#[test]
fn initialisers_become_flat() {
    for (text, expected) in [
        ("int x = 1;", "=1"),
        ("int x = {1};", "=1"),
        ("int x[] = {1, 2, [5] = 3, 4};", "[0]=1 [1]=2 [5]=3 [6]=4"),
        ("int x[2][2] = {1, 2, 3};", "[0][0]=1 [0][1]=2 [1][0]=3"),
        ("int x[2][2] = {{1}, {2, 3}};", "[0][0]=1 [1][0]=2 [1][1]=3"),
        ("int x[4] = {[1 ... 2] = 7, 8};", "[1]=7 [2]=7 [3]=8"),
        ("struct { int a, b; } x = {.b = 1};", ".1=1"),
        ("struct { int a; struct { int b, c; } d; int e; } x = {1, .d.b = 2, 3, 4};", ".0=1 .1.0=2 .1.1=3 .2=4"),
        ("struct { int a; union { int b; char c; }; } x = {1, .c = 2};", ".0=1 .1.1=2"),
        ("union { int a; char b; } x = {1};", ".0=1"),
        ("union { int a; char b; } x = {.a = 1, .b = 2};", ".1=2"),
        ("union { int a; struct { int c, d; } b; } x = {.b.c = 1, .b.d = 2};", ".1.0=1 .1.1=2"),
        ("union { int a; struct { int c, d; } b; } x = {.b.c = 1, .a = 2, .b.d = 3};", ".1.1=3"),
        ("struct { union { int a; int b; } u; int c; } x[2] = {[1].u.b = 1, [0].c = 2, 3};", "[0].1=2 [1].0.0=3"),
        ("struct { int a; union { int b; struct { short c, d; }; }; } x = {.c = 1, .d = 2};", ".1.1.0=1 .1.1.1=2"),
        ("union { int a; int b[2]; } x = {.a = 1, .b = {}};", ""),
        ("struct s { int a, b; } x = (struct s){1, 2};", ".0=1 .1=2"),
        ("struct s { int a, b; }; struct { struct s c; int d; } x = {(struct s){1, 2}, .c.b = 3};", ".0.0=1 .0.1=3"),
        ("int x[] = (int[]){1, 2};", "[0]=1 [1]=2"),
        ("struct { short a[3]; char b[5]; } x = {.b = 1, 2};", ".1[0]=1 .1[1]=2"),
        ("struct { struct { int a, b; }; int c; } x = {.a = 5, 6, 7};", ".0.0=5 .0.1=6 .1=7"),
        ("int x[3] = {[0 ... 2] = 1, [1] = 2};", "[0]=1 [2]=1 [1]=2"),
        ("static const int y = 2; int x = y;", "=2"),
        ("static const struct { int a[2]; } y[2] = {[1].a = {1, 2}}; int x = y[1].a[1];", "=2"),
        ("struct s { int a, b; }; static const struct s y = {.b = 3}; struct s x = y;", ".1=3"),
        ("double x = 1.5 * 2;", "=3"),
        ("struct { int a[2]; int b; } x[2] = {1, 2, 3, {{4}, 5}};", "[0].0[0]=1 [0].0[1]=2 [0].1=3 [1].0[0]=4 [1].1=5"),
        ("struct { int a[2]; } x = {.a = {1, 2}, .a[0] = 3};", ".0[1]=2 .0[0]=3"),
        ("char x[] = \"ab\";", "[0]=97 [1]=98 [2]=0"),
        ("char x[2] = {\"ab\"};", "[0]=97 [1]=98"),
        ("char x[][3] = {\"a\", {'b'}};", "[0][0]=97 [0][1]=0 [1][0]=98"),
        ("struct { char a[3]; int b; } x = {\"a\", 2};", ".0[0]=97 .0[1]=0 .1=2"),
        ("int y; int *x = &y;", "=&"),
        ("double x = 1;", "=1"),
        ("int x[2] = {};", ""),
    ] {
        let (found, _) = with(&[text], DataModel::Lp64, |result| {
            let (unit, _) = result.unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
            let object = unit.objects.iter().find(|object| object.name == "x").unwrap();
            let Storage::Static { init: Some(init), .. } = &object.storage else { panic!("{text}") };
            flat(init)
        });
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_is_wrong_is_said_where_it_is() {
    for (text, line, words) in [
        ("int f(void)\n{ return coutn; }\nint count;", 2, "`coutn` is not declared"),
        ("struct s { int a; } x;\nint f(void) { return x.b; }", 2, "no member `b`"),
        ("struct s { int a; } *x;\nint f(void) { return x.a; }", 2, "write `->a`"),
        ("int x;\nint f(void) { return x(); }", 2, "is not a function"),
        ("struct s { int a; } x; int y;\nvoid f(void) { y = x; }", 2, "cannot become `int`"),
        ("int g(int, int);\nint f(void) { return g(1); }", 2, "needs 2 arguments, but has 1"),
        ("void f(void) {\nl: ;\nl: ; }", 3, "the label `l` is there twice"),
        ("void f(void) {\ngoto l; }", 2, "there is no label `l`"),
        ("void f(int x) { switch (x) {\ncase 1:\ncase 1: ; } }", 3, "the case 1 is there twice"),
        ("void f(void) {\nbreak; }", 2, "`break` outside"),
        ("void f(void) {\ncontinue; }", 2, "`continue` outside"),
        ("int x = 1;\nint x = 2;", 1, "`x` is defined here, and again elsewhere"),
        ("int x;\nchar x;", 2, "`x` is `char` here, but was `int` before"),
        ("int f(void) { return 1 +; }", 1, "found `;` where an expression was expected"),
        ("#include <a.h>\nint x;", 1, "left for the preprocessor"),
        ("void *f(void) { l:\nreturn &&l; }", 2, "the address of a label"),
        ("void f(void) {\n1 = 2; }", 2, "no place that could be assigned to"),
        ("struct s;\nstruct s x;", 2, "incomplete type `struct s`"),
        ("_Static_assert(1, \"\");\n_Static_assert(0);", 2, "does not hold"),
        ("int f(void) { int x;\nint x; return 0; }", 2, "`x` is declared twice"),
        ("_Float128 g(void);\nint f(void) { return g(); }", 2, "`g` has a type that is not supported"),
        ("int f(void) {\n_Float128 x; return 0; }", 2, "floating-point types of 128 bits"),
        ("int x[-1];", 1, "cannot have -1 elements"),
        ("int f(void);\nint x = f();", 2, "known when the program is loaded"),
        ("int y;\nint x = y;", 2, "known when the program is loaded"),
        ("int y;\nint x = (int)&y;", 2, "known when the program is loaded"),
        ("int y[2], z[2];\nlong x = &y[1] - z;", 2, "known when the program is loaded"),
        ("int x[2] = {1,\n1 / 0};", 2, "known when the program is loaded"),
        ("void f(int y) {\nstatic int *x = &y; }", 2, "known when the program is loaded"),
        ("void f(void) {\nstatic int *x = &(int){1}; }", 2, "known when the program is loaded"),
        (
            "struct s { int a; }; struct s f(void); void g(void) { struct { struct s b; } x = {\n.b = f(), .b.a = 1}; }",
            2,
            "has a value already",
        ),
        ("void f(int n) {\n__typeof__(int[n]) x; }", 2, "variable length is not supported here"),
        ("# 40 \"a.h\"\nint x;\n# 7 \"b.c\"\nint y = z;", 7, "`z` is not declared"),
    ] {
        fails(&[text], line, words);
    }
}

#[test]
fn all_kinds_of_texts_are_read() {
    for text in [
        "",
        "main() { return 0; }",
        "int f(a, b) char a; int *b; { return a + *b; } int g(void) { return f('a', 0); }",
        "int f(int n) { int a[n], b[n][3], c[2][n]; a[0] = b[1][2] + c[1][n - 1]; return sizeof a + sizeof c[0]; }",
        "int f(int x) { return x ?: 1; } unsigned __int128 y; __int128 z; __thread int t;",
        "int f(int x) { switch (x) { case 1 ... 3: return 1; default: } l: int y = 1; goto l; }",
        "void f(void) { __label__ l; l: __attribute__((unused)); asm volatile (\"nop\" ::: \"memory\"); }",
        "int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int x = __builtin_va_arg(l, int); return x; }",
        "struct p { int x, y; }; struct p g(void); int f(void) { return g().y + ((struct p){1, 2}).x + ({ int z = 1; z; }); }",
        "typedef int t; void f(t t) { t = 1; } int (*h(int))(void); void (*s[3])(int) = {0};",
        "char x[__builtin_types_compatible_p(int, long) ? -1 : 1]; char y[__alignof__(x)]; int asm_name asm(\"z\");",
        "void f(void) { undeclared(1, 2.0f); __builtin_unreachable(); void *p = malloc(3); }",
        "_Float128 f(_Float128 x); int g(int, __float128 y);",
        "int y[3]; int *x = y + 1; long z = (long)&y[2] - 1, d = &y[2] - &y[1]; int c = &y[1] != 0, e = 1 << 40;",
        "int f(void); int (*x)(void) = 1 ? f : 0; _Bool b = f; char *s = \"ab\" + 1, c = \"ab\"[1]; double i = __builtin_inf();",
        "int f(int n, int a[n++][2], int b[static n]) { return n; }",
        "int x; extern int x; static int y(void); int (y)(void) { return x; } extern int a[]; int a[3];",
    ] {
        reads(&[text]);
    }
}

#[test]
fn files_are_linked() {
    reads(&[
        "struct s { struct s *n; int v; }; struct s *head; int f(void) { return head->v; }",
        "struct s { struct s *n; int v; }; extern struct s *head; int f(void); int main(void) { return f() + head->n->v; }",
    ]);
    reads(&["static int x = 1; int f(void) { return x; }", "static int x = 2; int g(void) { return x; }"]);
    reads(&["int x; extern int a[];", "int x = 1; int a[4];"]);
    fails(&["int f(void) { return 1; }", "int f(void) { return 2; }"], 1, "`f` is defined here, and again elsewhere");
    fails(&["int x;", "float x;"], 1, "`x` is `float` here");
}

#[test]
fn deep_texts_are_read_or_refused() {
    let body = |text: String| format!("int main(void) {{ int a = 0; {text} return a; }}");
    reads(&[&body(format!("a = a{};", "+a".repeat(20_000)))]);
    reads(&[&body(format!("if (a) a = 1; {}", "else if (a) a = 2; ".repeat(5_000)))]);
    reads(&[&body(format!("a = {}a{};", "(".repeat(200), ")".repeat(200)))]);
    reads(&[&format!("int x[] = {{{}}};", "1,".repeat(100_000))]);
    fails(&[&body(format!("a = {}a{};", "(".repeat(5_000), ")".repeat(5_000)))], 1, "nested too deeply");
    fails(&[&body(format!("a = {}a;", "-".repeat(200_000)))], 1, "nested too deeply");
}

#[test]
fn no_text_makes_it_panic() {
    let words = [
        "int",
        "x",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        "=",
        "*",
        "&&",
        "1",
        "\"s\"",
        "struct",
        "s",
        ":",
        "?",
        "if",
        "else",
        "case",
        "switch",
        "sizeof",
        "typedef",
        "t",
        "__attribute__((packed))",
        "asm",
        ".",
        "->",
        "#",
        "/*",
        "'a'",
        "enum",
        "...",
        "goto",
        "__typeof__",
        "_Static_assert",
        "__int128",
        "\\\n",
        "static",
        "return",
        "# 3 \"x\"\n",
        "é",
    ];
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..3_000 {
        let text: String = (0..rng.usize(1..40)).flat_map(|_| [words[rng.usize(..words.len())], " "]).collect();
        with(&[&text], DataModel::Lp64, |_| ());
    }
}
