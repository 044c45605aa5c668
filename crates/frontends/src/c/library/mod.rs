//! Functions that programs call without defining them: the verification functions of the
//! field, and the part of the standard library that matters for reachability.
//!
//! Those of [`KNOWN`] have a meaning of their own in `lower`; those of [`written`] are written in
//! C and join a program that calls them.

mod written;

pub(super) use written::text;

use super::tree::{Expr, ExprKind};

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
    (Known::End, &["abort", "exit", "_exit", "_Exit", "quick_exit", "__builtin_trap", "__builtin_unreachable"]),
    (Known::Allocate, &["malloc", "valloc", "kmalloc", "vmalloc"]),
    (Known::AllocateZero, &["calloc"]),
    (Known::AllocateLocal, &["alloca"]),
    (Known::Resize, &["realloc"]),
    (Known::Free, &["free", "cfree", "kfree", "vfree"]),
    (Known::Copy, &["memcpy", "memmove"]),
    (Known::Set, &["memset"]),
    (
        Known::Silent,
        &[
            "printf", "fprintf", "vprintf", "vfprintf", "puts", "putchar", "fputs", "fputc", "putc", "perror",
            "fflush", "printk", "srand", "srandom", "clock", "getpid", "sleep", "usleep", "fclose", "isatty",
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
    (Known::Zero, &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"]),
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
    let listed = |name: &str| KNOWN.iter().find(|(_, names)| names.contains(&name)).map(|(known, _)| *known);
    let twin = || name.strip_prefix(BUILTIN).and_then(listed);
    let nondet = || name.starts_with("__VERIFIER_nondet_").then_some(Known::Nondet);
    listed(name).or_else(twin).or_else(nondet)
}

/// What the standard says about the result of a function, and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promise {
    /// Whether it is zero.
    Truth,
    /// Its sign.
    Sign,
}

/// What is known about the results of one of [`written`], if that is not all.
pub(super) fn promise(name: &str) -> Option<Promise> {
    match name.strip_prefix(BUILTIN).unwrap_or(name) {
        "strcmp" | "strncmp" | "memcmp" | "strcasecmp" | "strncasecmp" => Some(Promise::Sign),
        "bcmp" => Some(Promise::Truth),
        name => (name.starts_with("is") && written::is_written(name)).then_some(Promise::Truth),
    }
}

/// What stands before the name of a function of the library that is meant whatever the program
/// declares by that name.
const BUILTIN: &str = "__builtin_";

/// The expression without the conversions around it.
pub(super) fn unconverted(expr: &Expr) -> &Expr {
    let mut inner = expr;
    while let ExprKind::Convert(operand) = &inner.kind {
        inner = operand;
    }
    inner
}
