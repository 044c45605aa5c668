//! How much memory a C program gets: as little as its pointers need.

use std::sync::Arc;
use tamis_frontends::Input;
use tamis_frontends::c::{DataModel, Options, lower_as};
use tamis_ir::Sources;
use tamis_term::Terms;

/// The global variables of a program with their sorts, in order of their names.
fn globals(data_model: DataModel, text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let files = [sources.add("a.c", text)];
    let options = Options { data_model, ..Options::default() };
    let mut terms = Terms::new();
    let input = Input { sources: Arc::new(sources), files: &files, ask: &[] };
    let lowered = lower_as(&mut terms, &input, &options);
    let program = lowered.unwrap_or_else(|refused| panic!("{:?}", refused.errors)).program;
    let mut globals: Vec<String> =
        program.globals.iter().map(|var| format!("{}: {}", terms.name(*var), terms.var_sort(*var))).collect();
    globals.sort();
    globals
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(globals(DataModel::Ilp32, text), expected, "{text}");
}

#[test]
fn without_pointers_there_is_no_memory() {
    check(
        "int g; short a[3][4]; struct { char c; struct { long l[2]; } in; } s; int main(void) { a[g][1] = s.c; }",
        &[
            "a: (Array (_ BitVec 4) (_ BitVec 16))",
            "g: (_ BitVec 32)",
            "s.c: (_ BitVec 8)",
            "s.in.l: (Array (_ BitVec 1) (_ BitVec 32))",
        ],
    );
}

#[test]
fn a_union_is_a_word() {
    check("union { int i; char c[6]; } u; int main(void) { u.c[1] = u.i; }", &["u: (_ BitVec 64)"]);
}

#[test]
fn one_object_of_one_cell_is_a_variable() {
    check("int x; int main(void) { int *p = &x; *p = 1; }", &["x: (_ BitVec 32)"]);
}

#[test]
fn one_object_is_indexed_by_its_offset() {
    check("char b[10]; int main(void) { char *p = b; p++; *p = 1; }", &["b: (Array (_ BitVec 4) (_ BitVec 8))"]);
    check("int b[10]; int main(void) { int *p = b; *p = 1; }", &["b: (Array (_ BitVec 4) (_ BitVec 32))"]);
}

#[test]
fn objects_that_pointers_tell_apart_are_apart() {
    check(
        "int x, y, z; int main(void) { int *p = &x, *q = &y; if (z) q = &z; *p = *q; }",
        &["$memory: (Array (_ BitVec 1) (_ BitVec 32))", "x: (_ BitVec 32)"],
    );
}

#[test]
fn what_is_read_byte_by_byte_has_bytes_as_cells() {
    check("int x; int main(void) { char *p = (char *)&x; return p[2]; }", &["x: (Array (_ BitVec 2) (_ BitVec 8))"]);
}

#[test]
fn lists_of_words_are_arrays_of_words() {
    let list = "void *malloc(unsigned); struct node { int value; struct node *next; } *head;
        int main(void) { struct node *n = malloc(sizeof *n); n->value = 1; n->next = head; head = n;
        int sum = 0; while (n) { sum = sum + n->value; n = n->next; } return sum; }";
    check(list, &["$memory: (Array (_ BitVec 30) (_ BitVec 32))", "$next: (_ BitVec 16)", "head: (_ BitVec 32)"]);
}

#[test]
fn a_register_takes_no_place_in_the_memory_of_objects() {
    let both = "int x; int get(int *p) { return *p; } int main(void) { return get(&x) + get((int *)0x4000); }";
    check(both, &["x: (_ BitVec 32)"]);
}

#[test]
fn an_address_that_is_calculated_may_be_any_byte() {
    let cast = "int x[2]; int main(void) { unsigned a = (unsigned)x; a = a + 1; int *p = (int *)a; return *p; }";
    check(cast, &["x: (Array (_ BitVec 3) (_ BitVec 8))"]);
}
