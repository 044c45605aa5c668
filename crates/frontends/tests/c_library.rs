//! The library functions that are written in C for programs that call them do what this machine's
//! library does, on random calls, under both data models.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use tamis_testing::has;
use tamis_testing::tools::{COMPILER, LIBRARY_32};

/// The models, each renamed to `model_NAME`, in front of the program that compares.
fn comparison() -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let models: Vec<String> = ["ctype.c", "string.c", "numbers.c", "fortify.c"]
        .map(|file| fs::read_to_string(here.join("src/c/library").join(file)).expect("a file of models"))
        .to_vec();
    let names: Vec<&str> = models
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| line.ends_with(") {") && !line.starts_with(' '))
        .filter_map(|line| line.split('(').next()?.rsplit([' ', '*']).next())
        .collect();
    assert!(names.len() > 80, "{} models", names.len());
    let mut text = String::from("#define _GNU_SOURCE\n");
    for header in ["ctype.h", "stdlib.h", "string.h", "strings.h", "errno.h", "stdio.h"] {
        let _ = writeln!(text, "#include <{header}>");
    }
    for name in &names {
        let _ = writeln!(text, "#undef {name}\n#define {name} model_{name}");
    }
    text += &models.concat();
    for name in &names {
        let _ = writeln!(text, "#undef {name}");
    }
    // Headers define them anew where they are macros.
    text.push_str("#undef errno\n#define errno (*__errno_location())\n");
    text + &fs::read_to_string(here.join("tests/c_library/compare.c")).expect("a program")
}

#[track_caller]
fn compare(option: &str) {
    let place = tempfile::tempdir().expect("a folder");
    let (source, program) = (place.path().join("compare.c"), place.path().join("compare"));
    fs::write(&source, comparison()).expect("a file");
    let mut cc = Command::new("cc");
    let compiled = cc.args(["-w", "-O1", "-fno-builtin", option]).arg(&source).arg("-o").arg(&program).output();
    let compiled = compiled.expect("a compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&program).output().expect("a program");
    assert!(ran.status.success(), "a model is wrong: {}", String::from_utf8_lossy(&ran.stdout));
}

#[test]
fn models_do_what_the_library_does() {
    if has(&COMPILER) {
        compare("-m64");
    }
}

#[test]
fn models_do_what_the_library_does_under_ilp32() {
    if has(&LIBRARY_32) {
        compare("-m32");
    }
}
