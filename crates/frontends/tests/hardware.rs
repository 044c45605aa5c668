//! Circuits of AIGER and BTOR2: what is refused and where, that no damage makes a front end panic
//! or take much memory, and that large circuits are lowered quickly.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, iter};
use tamis_frontends::{Lowered, Refused, by_name};
use tamis_ir::validate::validate;
use tamis_ir::{Diagnostic, Program, Severity, Sources};
use tamis_term::Terms;
use tamis_testing::{files, tasks_at_hand};

/// What a front end says: a summary of the program with the warnings, or the errors.
fn lowered(language: &str, bytes: &[u8]) -> Result<(Terms, Program, String), String> {
    let mut sources = Sources::new();
    sources.add("another", "so that the file is not the first");
    let source = sources.add_bytes("file", bytes.to_vec());
    let (mut terms, sources) = (Terms::new(), Arc::new(sources));
    let shown = |diagnostics: &[Diagnostic]| {
        let lines = diagnostics.iter().map(|diagnostic| {
            let span = diagnostic.span;
            assert!(span.source == source && sources.text(span).is_some(), "{diagnostic:?} is not in the file");
            let place = sources.position(span).expect("a place in the text");
            format!("{}:{}: {}", place.line, place.column, diagnostic.message)
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    match by_name(language).expect("a language").lower_one(&mut terms, sources.clone(), source) {
        Ok(Lowered { program, warnings }) => {
            assert!(warnings.iter().all(|warning| warning.severity == Severity::Warning));
            assert!(program.edges().all(|(_, edge)| sources.text(edge.span).is_some()));
            assert_eq!(validate(&terms, &program), Ok(()));
            Ok((terms, program, shown(&warnings)))
        }
        Err(Refused { errors, .. }) => {
            assert!(errors.iter().any(|error| error.severity == Severity::Error), "an error without an error");
            Err(shown(&errors))
        }
    }
}

fn check(language: &str, bytes: &[u8], expected: &str) {
    let found = match lowered(language, bytes) {
        Ok((.., warnings)) => warnings,
        Err(errors) => errors,
    };
    assert_eq!(found, expected, "{}", String::from_utf8_lossy(bytes));
}

#[test]
fn what_is_wrong_with_an_aiger_file_has_a_place() {
    let check = |text: &str, expected: &str| check("aiger", text.as_bytes(), expected);
    check("", "1:1: this is no AIGER file: it does not begin with `aag` or `aig`");
    check("aag 1 0 1 1", "1:12: the file ends where A, a number should be");
    check("aag 1 0 1 x 0\n", "1:11: this should be O, a number");
    check("aag 1 0 1 1 0 0 0 0 0 7\n", "1:23: the line should end here");
    check("aag 1 1 1 1 0\n", "1:5: M is less than the number of inputs, latches and gates, which is 2");
    check("aig 3 1 1 1 0\n", "1:5: M is not the number of inputs, latches and gates, which is 2");
    check("aag 99999999999 0 0 0 0\n", "1:5: this number does not fit 32 bits");
    check("aag 4294967295 0 0 0 0\n", "1:5: literals of that many variables do not fit 32 bits");
    check("aag 1 0 1 0 0 1\n2 4\n2\n", "2:3: the literal 4 is above 2M + 1");
    check("aag 2 0 1 0 0 1\n2 4\n2\n", "2:3: the literal 4 is not defined");
    check("aag 1 1 0 1 0\n3\n2\n", "2:1: what is defined here should be an even literal, not 0");
    check("aag 2 1 1 0 0\n2\n2 1\n", "3:1: the literal 2 is defined twice");
    check("aag 2 0 0 1 2\n2\n2 4 1\n4 2 1\n", "4:3: the literal 2 depends on itself");
    check("aag 2 0 2 1 0\n2 2 4\n4 4 2\n2\n", "3:5: the literal 2 depends on itself");
    check("aag 1 0 1 1 0\n2 3\n2\nwhat\n", "4:1: this line is none of the symbol table");
    check("aag 1 0 1 1 0\n2 3\n2\nl7 name\n", "4:1: this symbol names what is not there");
    check("aig 4294967 4294967 0 0 0\n", "1:5: the file is too short to use that many inputs");
    check("aig 1 0 0 1 1\n2\n", "3:1: the file ends where a gate should be");
    check("aag 1 1 0 0 0 0 0 1\n2\n1\n2\n", "3:1: justice properties are not supported, and there is no bad signal");
    check("aag 1 1 0 0 0 1 0 1\n2\n2\n1\n2\n", "4:1: justice properties are not checked");
    check(
        "aag 1 1 0 0 0 1 0 0 1\n2\n2\n2\n",
        "4:1: fairness constraints do not change which states are reached: they are ignored",
    );
}

#[test]
fn what_is_wrong_with_gates_in_binary_is_told_by_the_byte() {
    check("aiger", b"aig 1 0 0 1 1\n2\n\x00\x00", "1:1: at byte 16: gate 2 reads itself");
    check("aiger", b"aig 1 0 0 1 1\n2\n\x03\x00", "1:1: at byte 16: gate 2 does not read what is below it");
    check(
        "aiger",
        b"aig 1 0 0 1 1\n2\n\x82\x80\x80\x80\xff",
        "1:1: at byte 16: this number of a gate does not fit 32 bits",
    );
    check("aiger", b"aig 1 0 0 1 1\n2\n\x02\x00o0 x\n\xff", "1:1: at byte 23: this line is none of the symbol table");
}

#[test]
fn what_is_wrong_with_a_btor2_line_has_a_place() {
    let sorts = "1 sort bitvec 1\n2 sort bitvec 4\n3 sort array 1 2\n4 input 1\n5 input 2\n6 state 3\n7 state 2\n";
    let check = |line: &str, expected: &str| {
        let expected = if expected.is_empty() { String::new() } else { format!("8:{expected}") };
        check("btor2", format!("{sorts}{line}\n").as_bytes(), &expected);
    };
    check("x", "1: this should be a line's number, the number of a line");
    check("-8 sort bitvec 1", "1: a line's number is positive");
    check("7 sort bitvec 1", "1: line number 7 is there twice");
    check("8", "2: the line ends where what the line is should be");
    check("8 frob 1 4", "3: this is no operator of BTOR2");
    check("8 sort word 1", "8: this should be `bitvec` or `array`");
    check("8 sort bitvec 0", "15: a width is from 1 to 1048576");
    check("8 sort bitvec 4000000000", "15: a width is from 1 to 1048576");
    check("8 sort array 3 1", "14: the indices and the elements of an array are words");
    check("8 not 9 4", "7: 9 is no sort");
    check("8 not 1 9", "9: line 9 is not there, or is no operand");
    check("8 not 1 1", "9: line 1 is not there, or is no operand");
    check("8 not 1 5", "9: this should be one bit, and is 4 bits");
    check("8 and 2 5 4", "11: this should be 4 bits, and is one bit");
    check("8 not 3 6", "7: the operands are words, not arrays");
    check("8 not 3 -6", "9: an array cannot be negated");
    check("8 eq 2 5 5", "6: the result is one bit, not 4 bits");
    check("8 ult 1 6 6", "7: the operands are words, not arrays");
    check("8 eq 1 6 6", "");
    check("8 concat 2 5 4", "10: the result is 5 bits, not 4 bits");
    check("8 read 2 5 4", "8: the first operand is an array");
    check("8 read 2 6 5", "12: this should be one bit, and is 4 bits");
    check("8 write 3 6 4 4", "15: this should be 4 bits, and is one bit");
    check("8 slice 1 5 4 4", "13: bits 4 to 4 of 4 are not 1 bits");
    check("8 slice 1 6 0 0", "11: this should be a word, and is an array");
    check("8 uext 2 4 4", "12: 1 bits and 4 more are not 4 bits");
    check("8 uext 2 4 4294967295", "12: 1 bits and 4294967295 more are not 4 bits");
    check("8 const 2 101", "11: this constant does not have 4 bits");
    check("8 const 2 1021", "11: this should be a binary constant");
    check("8 constd 2 16", "12: this constant does not have 4 bits");
    check("8 constd 2 -8", "");
    check("8 constd 2 -9", "12: this constant does not have 4 bits");
    check("8 consth 2 g", "12: this should be a hexadecimal constant");
    check("8 init 2 5 5", "10: 5 is no state");
    check("8 init 2 7 5", "12: an initial value cannot depend on an input");
    check("8 init 2 7 7", "12: an initial value must come before the state in the file");
    check("8 next 2 7 4", "12: this should be 4 bits, and is one bit");
    check("8 bad 5", "7: this should be one bit, and is 4 bits");
    check("8 bad 4 name more", "14: nothing is expected here");
    check("8 bad 4 name ; more", "");
    check("8 justice 1 4", "1: justice properties are not supported, and there is no bad condition");
    check("8 justice 4000000000 4", "23: the line ends where an operand should be");
}

/// The files of the corpus of a language, and those of others where they are at hand.
fn corpus(language: &str) -> Vec<Vec<u8>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(language);
    let endings = by_name(language).expect("a language").extensions;
    let folders = iter::once(own).chain(tasks_at_hand("bench"));
    let files = folders.flat_map(|folder| files(&folder, endings));
    files.map(|path| fs::read(path).expect("a readable file")).collect()
}

#[test]
fn circuits_are_lowered_quickly() {
    for language in ["aiger", "btor2"] {
        for file in corpus(language) {
            let (start, bytes) = (Instant::now(), file.len());
            lowered(language, &file).unwrap_or_else(|errors| panic!("{errors}"));
            assert!(start.elapsed() < Duration::from_secs(5), "{bytes} bytes: {:?}", start.elapsed());
        }
    }
}

#[test]
fn a_hundred_thousand_gates_are_lowered_in_a_moment() {
    let mut text = String::from("aag 100002 1 1 1 100000\n2\n4 200004\n200004\n");
    let mut rng = fastrand::Rng::with_seed(1);
    for gate in 3..100_003_u32 {
        let (near, far) = (gate - rng.u32(1..gate.min(20)), rng.u32(1..gate));
        writeln!(text, "{} {} {}", 2 * gate, 2 * near + rng.u32(..2), 2 * far + rng.u32(..2)).expect("text");
    }
    let start = Instant::now();
    let (terms, ..) = lowered("aiger", text.as_bytes()).expect("a circuit");
    println!("{} terms in {:?}", terms.len(), start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "0", "1", "2", "-1", "-3", "7", "65535", "4294967295", "4294967296", "99999999999999999999", "\n", " ", "; ", "c\n", "aag ", "aig ",
    "sort bitvec ", "sort array ", "state ", "input ", "init ", "next ", "bad ", "constraint ", "justice ", "zero ",
    "constd ", "consth ", "const ", "slice ", "uext ", "read ", "write ", "ite ", "smulo ", "rol ", "redxor ", "sdiv ",
    "\u{0}", "é", "\r\n", "l0 ", "i0 x\n", "b0 y\n",
];

fn stretch(rng: &mut fastrand::Rng, len: usize, most: usize) -> std::ops::Range<usize> {
    let start = rng.usize(..=len);
    start..(start + rng.usize(..=most)).min(len)
}

fn damage(rng: &mut fastrand::Rng, file: &[u8]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..rng.usize(1..5) {
        // Damage at the beginning, where the header is, is as likely as anywhere else.
        let reach = if rng.bool() { bytes.len() } else { bytes.len().min(60) };
        let part = stretch(rng, reach, 20);
        let token = TOKENS[rng.usize(..TOKENS.len())];
        match rng.u32(..7) {
            0 => {
                if let Some(byte) = bytes.get_mut(part.start) {
                    *byte ^= 1 << rng.u32(..8);
                }
            }
            1 => drop(bytes.drain(part)),
            2 => {
                let copy = bytes[part.clone()].to_vec();
                bytes.splice(part.start..part.start, copy);
            }
            3 => drop(bytes.splice(part.start..part.start, token.bytes())),
            4 => drop(bytes.splice(part, token.bytes())),
            5 => {
                // Another digit keeps the line well-formed, and often changes what it means.
                if let Some(byte) = bytes.iter_mut().skip(part.start).find(|byte| byte.is_ascii_digit()) {
                    *byte = b'0' + rng.u8(..10);
                }
            }
            _ => {
                if rng.u32(..4) == 0 {
                    bytes.truncate(part.start);
                }
            }
        }
    }
    bytes
}

fn survives_damage(language: &str) {
    let files = corpus(language);
    let mut rng = fastrand::Rng::with_seed(5);
    let (mut accepted, mut slowest) = (0, Duration::ZERO);
    for _ in 0..10_000 {
        let chosen = rng.usize(..files.len());
        let file = damage(&mut rng, &files[chosen]);
        let start = Instant::now();
        accepted += usize::from(lowered(language, &file).is_ok());
        slowest = slowest.max(start.elapsed());
    }
    println!("{language}: {accepted} of 10000 accepted, at most {slowest:?}");
    assert!(accepted > 100 && slowest < Duration::from_secs(10));
}

#[test]
fn damaged_aiger_files_are_answered() {
    survives_damage("aiger");
}

#[test]
fn damaged_btor2_files_are_answered() {
    survives_damage("btor2");
}
