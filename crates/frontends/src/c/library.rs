//! Functions that programs call without defining them: the verification functions of the
//! field, and the part of the standard library that matters for reachability.
//!
//! Those of [`KNOWN`] have a meaning of their own in `lower`; those of [`WRITTEN`] are written in
//! C and join a program that calls them.

use super::tree::{Expr, ExprKind};
use super::types::DataModel;

/// What a known function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Returns anything: an input.
    Nondet,
    /// Fills memory with anything.
    ArbitraryBytes,
    /// Goes on only if its argument is true.
    Assume,
    /// Is an error.
    Error,
    /// Is an error if its argument is true.
    ErrorIf,
    /// Is a failed assertion if its argument is false.
    Assert,
    /// Is a failed assertion.
    AssertFail,
    /// Ends the run.
    End,
    Allocate,
    AllocateZero,
    /// Allocates until the function returns.
    AllocateLocal,
    Resize,
    Free,
    Copy,
    Set,
    /// Has no effect that matters; what it returns is not modelled.
    Silent,
    /// Returns any number that is not negative.
    Random,
    /// Returns any character, or -1.
    Character,
    /// Does nothing.
    Nothing,
    /// Writes input to where its pointers point: `scanf`.
    Read,
    /// Returns zero. `setjmp` does when it is called; that it may return again is the business of
    /// `longjmp`, which is not modelled.
    Zero,
    /// Does what cannot be modelled.
    Unmodelled,
}

/// Names and meanings.
const KNOWN: &[(Known, &[&str])] = &[
    (Known::ArbitraryBytes, &["__VERIFIER_nondet_memory"]),
    (Known::Assume, &["__VERIFIER_assume", "__CPROVER_assume", "__builtin_assume", "_ASSUME", "_TRACER_assume"]),
    (Known::Error, &["reach_error", "__VERIFIER_error"]),
    (Known::ErrorIf, &["_TRACER_abort", "_ABORT"]),
    (Known::Assert, &["assert", "__VERIFIER_assert", "__CPROVER_assert"]),
    (Known::AssertFail, &["__assert_fail", "__assert", "__assert_rtn", "__assert_func", "__assert_perror_fail"]),
    (
        Known::End,
        &[
            "abort",
            "exit",
            "_exit",
            "_Exit",
            "quick_exit",
            "__builtin_abort",
            "__builtin_exit",
            "__builtin_trap",
            "__builtin_unreachable",
        ],
    ),
    (Known::Allocate, &["malloc", "__builtin_malloc", "valloc", "kmalloc", "vmalloc"]),
    (Known::AllocateZero, &["calloc", "__builtin_calloc"]),
    (Known::AllocateLocal, &["alloca", "__builtin_alloca"]),
    (Known::Resize, &["realloc", "__builtin_realloc"]),
    (Known::Free, &["free", "__builtin_free", "cfree", "kfree", "vfree"]),
    (Known::Copy, &["memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove"]),
    (Known::Set, &["memset", "__builtin_memset"]),
    (
        Known::Silent,
        &[
            "printf",
            "fprintf",
            "vprintf",
            "vfprintf",
            "puts",
            "putchar",
            "fputs",
            "fputc",
            "putc",
            "perror",
            "fflush",
            "printk",
            "__builtin_printf",
            "__builtin_puts",
            "__builtin_putchar",
            "srand",
            "srandom",
            "clock",
            "getpid",
            "sleep",
            "usleep",
            "fclose",
            "isatty",
        ],
    ),
    (Known::Random, &["rand", "random"]),
    (Known::Character, &["getchar", "fgetc", "getc"]),
    (
        Known::Nothing,
        &[
            "__VERIFIER_atomic_begin",
            "__VERIFIER_atomic_end",
            "__builtin_va_start",
            "__builtin_va_end",
            "__builtin_va_copy",
            "__builtin_prefetch",
            "__sync_synchronize",
        ],
    ),
    (Known::Read, &["scanf", "fscanf", "__isoc99_scanf", "__isoc99_fscanf", "__isoc23_scanf", "__isoc23_fscanf"]),
    (Known::Zero, &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp"]),
    (
        Known::Unmodelled,
        &[
            "pthread_create",
            "thrd_create",
            "fork",
            "vfork",
            "clone",
            "longjmp",
            "_longjmp",
            "siglongjmp",
            "__builtin_longjmp",
            "signal",
            "sigaction",
            "atexit",
            "on_exit",
            "qsort",
            "bsearch",
            "execve",
            "execv",
            "execl",
        ],
    ),
];

/// What the function of that name does, if it is known and the program does not define it.
pub(super) fn known(name: &str) -> Option<Known> {
    if let Some((known, _)) = KNOWN.iter().find(|(_, names)| names.contains(&name)) {
        return Some(*known);
    }
    name.starts_with("__VERIFIER_nondet_").then_some(Known::Nondet)
}

/// What the standard says about the result of a function, and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promise {
    /// Whether it is zero.
    Truth,
    /// Its sign.
    Sign,
}

/// What is known about the results of one of [`WRITTEN`], if that is not all.
pub(super) fn promise(name: &str) -> Option<Promise> {
    match name {
        "strcmp" | "strncmp" | "memcmp" => Some(Promise::Sign),
        _ => (name.starts_with("is") && WRITTEN.iter().any(|written| written.name == name)).then_some(Promise::Truth),
    }
}

/// The expression without the conversions around it.
pub(super) fn unconverted(expr: &Expr) -> &Expr {
    let mut inner = expr;
    while let ExprKind::Convert(operand) = &inner.kind {
        inner = operand;
    }
    inner
}

/// A function that is written in C.
struct Written {
    name: &'static str,
    text: &'static str,
    /// Other written functions that it calls.
    needs: &'static [&'static str],
}

/// Functions of the standard library, and of the compiler, as their specifications define them.
/// Where they say `unsigned long`, `size_t` is meant.
const WRITTEN: &[Written] = &[
    Written {
        name: "strlen",
        text: "unsigned long strlen(const char *s) { unsigned long n = 0; while (s[n]) n++; return n; }",
        needs: &[],
    },
    Written {
        name: "strcmp",
        text: "int strcmp(const char *a, const char *b) { unsigned long i = 0; \
               while (a[i] && a[i] == b[i]) i++; \
               return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : (unsigned char)a[i] > (unsigned char)b[i]; }",
        needs: &[],
    },
    Written {
        name: "strncmp",
        text: "int strncmp(const char *a, const char *b, unsigned long n) { unsigned long i = 0; \
               while (i < n && a[i] && a[i] == b[i]) i++; if (i == n) return 0; \
               return (unsigned char)a[i] < (unsigned char)b[i] ? -1 : (unsigned char)a[i] > (unsigned char)b[i]; }",
        needs: &[],
    },
    Written {
        name: "memcmp",
        text: "int memcmp(const void *x, const void *y, unsigned long n) { \
               const unsigned char *a = x, *b = y; unsigned long i = 0; while (i < n && a[i] == b[i]) i++; \
               if (i == n) return 0; return a[i] < b[i] ? -1 : 1; }",
        needs: &[],
    },
    Written {
        name: "strcpy",
        text: "char *strcpy(char *to, const char *from) { unsigned long i = 0; \
               while ((to[i] = from[i])) i++; return to; }",
        needs: &[],
    },
    Written {
        name: "strncpy",
        text: "char *strncpy(char *to, const char *from, unsigned long n) { unsigned long i = 0; \
               while (i < n && from[i]) { to[i] = from[i]; i++; } while (i < n) { to[i] = 0; i++; } return to; }",
        needs: &[],
    },
    Written {
        name: "strcat",
        text: "char *strcat(char *to, const char *from) { unsigned long n = 0, i = 0; while (to[n]) n++; \
               while ((to[n + i] = from[i])) i++; return to; }",
        needs: &[],
    },
    Written {
        name: "strncat",
        text: "char *strncat(char *to, const char *from, unsigned long m) { unsigned long n = 0, i = 0; \
               while (to[n]) n++; while (i < m && from[i]) { to[n + i] = from[i]; i++; } to[n + i] = 0; return to; }",
        needs: &[],
    },
    Written {
        name: "strchr",
        text: "char *strchr(const char *s, int c) { unsigned long i = 0; \
               while (s[i] != (char)c) { if (!s[i]) return 0; i++; } return (char *)s + i; }",
        needs: &[],
    },
    Written {
        name: "strrchr",
        text: "char *strrchr(const char *s, int c) { unsigned long i = 0; char *last = 0; \
               do { if (s[i] == (char)c) last = (char *)s + i; } while (s[i++]); return last; }",
        needs: &[],
    },
    Written {
        name: "strstr",
        text: "char *strstr(const char *s, const char *part) { unsigned long i = 0; \
               for (;;) { unsigned long k = 0; while (part[k] && s[i + k] == part[k]) k++; \
               if (!part[k]) return (char *)s + i; if (!s[i]) return 0; i++; } }",
        needs: &[],
    },
    Written {
        name: "memchr",
        text: "void *memchr(const void *s, int c, unsigned long n) { const unsigned char *b = s; unsigned long i; \
               for (i = 0; i < n; i++) if (b[i] == (unsigned char)c) return (void *)(b + i); return 0; }",
        needs: &[],
    },
    Written {
        name: "strdup",
        text: "void *malloc(unsigned long); \
               char *strdup(const char *s) { unsigned long n = 0, i = 0; char *to; while (s[n]) n++; \
               to = malloc(n + 1); for (i = 0; i <= n; i++) to[i] = s[i]; return to; }",
        needs: &[],
    },
    Written { name: "abs", text: "int abs(int x) { return x < 0 ? -x : x; }", needs: &[] },
    Written { name: "labs", text: "long labs(long x) { return x < 0 ? -x : x; }", needs: &[] },
    Written { name: "llabs", text: "long long llabs(long long x) { return x < 0 ? -x : x; }", needs: &[] },
    Written { name: "isdigit", text: "int isdigit(int c) { return c >= '0' && c <= '9'; }", needs: &[] },
    Written { name: "isupper", text: "int isupper(int c) { return c >= 'A' && c <= 'Z'; }", needs: &[] },
    Written { name: "islower", text: "int islower(int c) { return c >= 'a' && c <= 'z'; }", needs: &[] },
    Written {
        name: "isalpha",
        text: "int isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }",
        needs: &[],
    },
    Written {
        name: "isalnum",
        text: "int isalnum(int c) { return isalpha(c) || isdigit(c); }",
        needs: &["isalpha", "isdigit"],
    },
    Written {
        name: "isspace",
        text: "int isspace(int c) { return c == ' ' || (c >= '\\t' && c <= '\\r'); }",
        needs: &[],
    },
    Written {
        name: "toupper",
        text: "int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }",
        needs: &[],
    },
    Written {
        name: "tolower",
        text: "int tolower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }",
        needs: &[],
    },
    Written {
        name: "__builtin_popcountll",
        text: "int __builtin_popcountll(unsigned long long x) { int n = 0; while (x) { x &= x - 1; n++; } return n; }",
        needs: &[],
    },
    Written {
        name: "__builtin_popcount",
        text: "int __builtin_popcount(unsigned x) { int n = 0; while (x) { x &= x - 1; n++; } return n; }",
        needs: &[],
    },
    Written {
        name: "__builtin_ctz",
        text: "int __builtin_ctz(unsigned x) { int n = 0; while (n < 32 && !(x >> n & 1)) n++; return n; }",
        needs: &[],
    },
    Written {
        name: "__builtin_clz",
        text: "int __builtin_clz(unsigned x) { int n = 0; while (n < 32 && !(x >> (31 - n) & 1)) n++; return n; }",
        needs: &[],
    },
    Written {
        name: "__builtin_bswap32",
        text: "unsigned __builtin_bswap32(unsigned x) { \
               return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24; }",
        needs: &[],
    },
    Written {
        name: "__builtin_bswap64",
        text: "unsigned long long __builtin_bswap64(unsigned long long x) { unsigned long long r = 0; int i; \
               for (i = 0; i < 8; i++) { r = r << 8 | (x & 255); x >>= 8; } return r; }",
        needs: &[],
    },
    Written {
        name: "__builtin_bswap16",
        text: "unsigned short __builtin_bswap16(unsigned short x) { return x >> 8 | x << 8; }",
        needs: &[],
    },
];

/// The C text of those of `names` that are written in C, and of what they need; `None` if there
/// are none. `is_defined` says which functions the program has already.
pub(super) fn text(names: &[&str], model: DataModel, is_defined: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut wanted: Vec<&Written> = Vec::new();
    let mut work: Vec<&str> = names.to_vec();
    while let Some(name) = work.pop() {
        let Some(written) = WRITTEN.iter().find(|written| written.name == name) else { continue };
        if !is_defined(name) && wanted.iter().all(|known| known.name != name) {
            wanted.push(written);
            work.extend(written.needs);
        }
    }
    wanted.sort_by_key(|written| WRITTEN.iter().position(|known| known.name == written.name));
    let lines: Vec<&str> = wanted.iter().map(|written| written.text).collect();
    let text = lines.join("\n") + "\n";
    let text = match model {
        DataModel::Ilp32 => {
            text.replace("unsigned long ", "unsigned int ").replace("unsigned int long", "unsigned long long")
        }
        DataModel::Lp64 => text,
    };
    (!lines.is_empty()).then_some(text)
}
