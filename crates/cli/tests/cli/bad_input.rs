//! Bad input gets a located message, a hint and exit code 2; nothing panics, nothing hangs.

use crate::{Place, Ran, run};
use std::process::{Command, Stdio};
use std::time::Duration;

fn verify(name: &str, bytes: &[u8]) -> Ran {
    let place = Place::new(&[]);
    place.write(name, bytes);
    place.run(&format!("verify {name} --time 20s"))
}

#[test]
fn a_missing_file_is_named() {
    Place::new(&[]).run("verify nowhere.bp").ends(2, &["nowhere.bp cannot be read: there is no such file", "help"]);
    Place::new(&[]).run("translate nowhere.bp --to dot").ends(2, &["there is no such file"]);
    Place::new(&[]).run("check nowhere.bp w.json").ends(2, &["there is no such file"]);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new(&[("a.bp", "void main() begin end")]);
    std::fs::set_permissions(place.path("a.bp"), std::fs::Permissions::from_mode(0o0)).unwrap();
    if std::fs::read(place.path("a.bp")).is_ok() {
        return tamis_testing::skip("a file that cannot be read", "run the tests as another user than the superuser");
    }
    place.run("verify a.bp").ends(2, &["a.bp cannot be read: permission denied", "check its permissions"]);
}

#[test]
fn a_directory_is_refused() {
    let place = Place::new(&[]);
    std::fs::create_dir(place.path("folder.bp")).unwrap();
    place.run("verify folder.bp").ends(2, &["folder.bp is a directory"]);
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    verify("a.bp", b"decl g;\n\xff\xfe").ends(2, &["a.bp is not UTF-8 text: byte 0xff at line 2, column 1", "iconv"]);
    verify("a.bp", b"\x7fELF\x02\x01\x00\x00").ends(2, &["a.bp is binary data, not text"]);
    let noise: Vec<u8> = (0..200_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect();
    verify("a.bp", &noise).ends(2, &[]);
    verify("a.rem", &noise).ends(2, &[]);
}

#[test]
fn an_empty_file_has_nothing_to_check() {
    verify("a.bp", b"").ends(2, &["error"]);
    verify("a.rem", b"").ends(2, &["error"]);
}

#[test]
fn an_unknown_ending_lists_the_known_ones() {
    let known = ".rem, .remopla (remopla), .bp (boolean-program), .pds (pds), .gc (guarded), .c, .i (c), .system (theta-system)";
    verify("a.xyz", b"").ends(2, &["no language has the ending .xyz", known, "--language NAME"]);
    verify("a", b"").ends(2, &["it has no ending", known, "--language NAME"]);
    run("a.xyz", "void main() begin assert(T); end", "verify FILE --language boolean-program").ends(0, &["true"]);
    run("a.xyz", "", "verify FILE --language cobol").ends(1, &["cobol", "remopla", "boolean-program"]);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused() {
    let place = Place::new(&[]);
    assert!(Command::new("mkfifo").arg(place.path("pipe.bp")).status().unwrap().success());
    place.run("verify pipe.bp").ends(2, &["pipe.bp is not a regular file", "standard input"]);
    place.run("verify /dev/zero --language remopla").ends(2, &["/dev/zero is not a regular file"]);
}

#[test]
fn standard_input_needs_a_language() {
    Place::new(&[]).run("verify -").ends(2, &["standard input does not say its language", "--language"]);
    let place = Place::new(&[("a.bp", "void main() begin assert(F); end")]);
    let mut command = place.command("verify - --language boolean-program");
    let input = std::fs::File::open(place.path("a.bp")).unwrap();
    let ran = Ran::new(&command.stdin(Stdio::from(input)).output().unwrap(), Duration::ZERO);
    assert_eq!(ran.ends(10, &["<stdin>:1"]).last(), "false(unreach-call)");
}

#[cfg(unix)]
#[test]
fn endless_standard_input_ends() {
    let place = Place::new(&[]);
    let mut command = place.command("verify - --language boolean-program");
    let input = std::fs::File::open("/dev/zero").unwrap();
    let ran = Ran::new(&command.stdin(Stdio::from(input)).output().unwrap(), Duration::ZERO);
    ran.ends(2, &["<stdin> is larger than 256 MB"]);
}

#[test]
fn fifty_megabytes_are_read_or_given_up_in_time() {
    let statements = "  g := !g; // a comment that makes the line longer\n".repeat(1_000_000);
    let ran = verify("a.bp", format!("decl g;\nvoid main() begin\n{statements}assert(T); end\n").as_bytes());
    assert!(matches!(ran.code, Some(0 | 5)), "{ran:#?}");
    assert!(ran.time < Duration::from_mins(1), "{ran:#?}");
    let blanks = vec![b' '; 50 << 20];
    verify("a.bp", &blanks).ends(2, &["error"]);
    let one_line = vec![b'x'; 50 << 20];
    let ran = verify("a.bp", &one_line);
    assert!(ran.ends(2, &["error"]).err.len() < 10_000, "the line is not printed whole");
}

#[test]
fn a_million_parentheses_are_too_deep() {
    let open = "(".repeat(1_000_000);
    let close = ")".repeat(1_000_000);
    for text in
        [format!("void main() begin assert({open}T{close}); end"), open.clone(), format!("void main() begin {open}")]
    {
        let ran = verify("a.bp", text.as_bytes());
        assert!(ran.ends(2, &["a.bp:1:"]).err.len() < 20_000);
    }
    let text = format!("bool g;\ninit main;\nmodule void main() {{ g = {open}g{close}; }}");
    let ran = verify("a.rem", text.as_bytes());
    assert!(ran.ends(2, &["a.rem:3:"]).err.len() < 20_000);
}

#[test]
fn several_errors_are_shown_with_line_caret_and_hint() {
    let text = "decl g;\nvoid main()\nbegin\n  g := nope;\n  other := g;\n  skip;\nend\n";
    let ran = run("a.bp", text, "verify FILE");
    ran.ends(2, &["a.bp:4:8", "  g := nope;", "^^^^", "a.bp:5:3", "  other := g;", "^^^^^"]);
    assert_eq!(ran.err.matches("error: ").count(), 2, "{ran:#?}");
    assert_eq!(ran.out, "");
}

#[test]
fn errors_are_json_for_tools() {
    let ran = run("a.bp", "decl g;\nvoid main() begin g := nope; end", "verify FILE --json");
    let json = ran.ends(2, &[]).json();
    assert_eq!((&json["verdict"], &json["reason"]), (&"error".into(), &"input".into()));
    let first = &json["diagnostics"][0];
    assert_eq!((&first["severity"], &first["line"], &first["column"]), (&"error".into(), &2.into(), &24.into()));
    let json = Place::new(&[]).run("verify nowhere.bp --json").ends(2, &[]).json();
    assert!(json["diagnostics"][0]["message"].as_str().unwrap().contains("no such file"));
}

#[test]
fn a_property_that_does_not_exist_is_never_safe() {
    let text = "void main() begin L1: skip; assert(T); end";
    run("a.bp", text, "verify FILE --label L2").ends(2, &["the program has no label L2", "known are", "L1"]);
    run("a.bp", text, "verify FILE --property L2").ends(2, &["the program has no property L2", "L1"]);
    // Asserts that are not there cannot fail, but the user is told.
    let text = "void main() begin L1: skip; end";
    run("a.bp", text, "verify FILE").ends(0, &["nothing to check", "name a label", "true"]);
    let text = "bool g; init main; module void main() { L1: g = true; }";
    run("a.rem", text, "verify FILE").ends(2, &["nothing to check", "--label", "L1"]);
    run("a.rem", text, "verify FILE --label L2").ends(2, &["the program has no label L2", "L1"]);
}

#[test]
fn property_files_are_checked_like_programs() {
    let program = ("a.bp", "void main() begin ERROR: skip; assert(T); end");
    let spec = |text: &str| Place::new(&[program, ("a.prp", text)]).run("verify a.bp --spec a.prp");
    spec("CHECK( init(main()), LTL(G ! label(ERROR)) )").ends(10, &["false(unreach-call)"]);
    spec("CHECK( init(main()), LTL(G ! call(reach_error())) )").ends(0, &["true"]);
    spec("CHECK( init(main()), LTL(G ! label(NOPE)) )").ends(2, &["a.prp:1:1", "no label `NOPE`"]);
    spec("CHECK( init(main()), LTL(F end) )").ends(2, &["a.prp:1", "termination"]);
    spec("hello").ends(2, &["a.prp:1:1", "CHECK"]);
    spec("").ends(2, &["a.prp", "no property"]);
    Place::new(&[program]).run("verify a.bp --spec a.prp").ends(2, &["a.prp cannot be read"]);
}
