//! What comes before C is read: several files, the preprocessor and its misbehaviour, projects
//! and tasks.

use crate::{Place, Ran};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Runs `tamis` with another C compiler: a script.
pub struct Compiler(pub Place);

impl Compiler {
    pub fn new(script: &str, files: &[(&str, &str)]) -> Compiler {
        let place = Place::new(files);
        place.write("compiler", format!("#!/bin/sh\n{script}\n").as_bytes());
        std::fs::set_permissions(place.path("compiler"), PermissionsExt::from_mode(0o755)).expect("our own file");
        Compiler(place)
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = self.0.command(arguments);
        command.env("CC", self.0.path("compiler"));
        command
    }

    pub fn run(&self, arguments: &str) -> Ran {
        let start = Instant::now();
        Ran::new(&self.command(arguments).output().expect("the built program"), start.elapsed())
    }

    /// The process that the script wrote down, once it did.
    fn process(&self) -> String {
        let start = Instant::now();
        loop {
            let number = std::fs::read_to_string(self.0.path("process")).unwrap_or_default();
            if number.ends_with('\n') {
                return number.trim().to_owned();
            }
            assert!(start.elapsed() < Duration::from_secs(20), "the compiler starts");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until that process is gone.
    #[track_caller]
    pub fn gone(&self) {
        let process = Path::new("/proc").join(self.process());
        let running = || {
            let status = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
            !status.is_empty() && !status.contains(") Z ")
        };
        let start = Instant::now();
        while running() {
            assert!(start.elapsed() < Duration::from_secs(20), "the compiler ends");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

const INCLUDES: &str = "#include \"b.h\"\nint main(void) { return 0; }\n";

/// A compiler that never ends: it starts another process, as compilers do, and that sleeps.
const HANGS: &str = "(echo $$ > process.tmp; sleep 1000 & echo $! > process.tmp; mv process.tmp process; wait)";

#[test]
fn what_the_compiler_says_is_shown() {
    let compiler = Compiler::new("echo 'a.c:1:10: no b.h here' >&2; exit 1", &[("a.c", INCLUDES)]);
    compiler.run("verify a.c").ends(2, &["a.c:1:10: no b.h here", "cannot preprocess a.c"]);
    let json = compiler.run("verify a.c --json").ends(2, &[]).json();
    assert!(json["diagnostics"][0]["hint"].as_str().unwrap().contains("no b.h here"), "{json}");
}

#[test]
fn a_missing_compiler_is_said() {
    let place = Place::new(&[("a.c", INCLUDES)]);
    let output = place.command("verify a.c").env("CC", "no-such-compiler").output().expect("the built program");
    Ran::new(&output, Duration::ZERO).ends(2, &["no-such-compiler cannot be run", "the variable CC"]);
}

#[test]
fn a_compiler_that_hangs_is_ended_with_all_it_started() {
    let compiler = Compiler::new(HANGS, &[("a.c", INCLUDES)]);
    let ran = compiler.run("verify a.c --time 300ms");
    assert_eq!(ran.ends(5, &[]).last(), "unknown(out of time)");
    assert!(ran.time < Duration::from_secs(20), "{ran:#?}");
    compiler.gone();
}

#[test]
fn a_compiler_ends_with_us() {
    for signal in ["INT", "TERM", "KILL"] {
        let compiler = Compiler::new(HANGS, &[("a.c", INCLUDES)]);
        let mut child = compiler.command("verify a.c").spawn().expect("the built program");
        compiler.process();
        let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), (signal != "KILL").then_some(5), "{signal}");
        compiler.gone();
    }
}

#[test]
fn a_compiler_that_prints_gigabytes_is_ended() {
    let compiler = Compiler::new("exec yes 'int x;'", &[("a.c", INCLUDES)]);
    compiler.run("verify a.c").ends(2, &["prints more than 256 MB"]);
}

#[test]
fn folders_macros_and_the_data_model_are_passed_on() {
    let compiler = Compiler::new("echo \"$@\" > words; exit 1", &[("a.c", INCLUDES)]);
    let words = |arguments: &str| {
        compiler.run(arguments).ends(2, &[]);
        compiler.0.read("words")
    };
    assert_eq!(words("verify a.c -I inc -Isrc -D X=1 -DY"), "-E -I inc -I src -D X=1 -D Y a.c\n");
    let narrow = words("verify a.c --data-model ILP32");
    assert!(narrow.starts_with("-E -m32 -isystem ") && narrow.ends_with(" a.c\n"), "{narrow}");
    let project = r#"[{"directory": ".", "file": "a.c", "command": "cc -O2 -DZ -c a.c"}]"#;
    compiler.0.write("compile_commands.json", project.as_bytes());
    assert_eq!(words("verify a.c --compile-commands compile_commands.json"), "-E -D Z a.c\n");
}

#[test]
fn a_file_that_the_project_does_not_compile_is_refused() {
    let place = Place::new(&[("a.c", INCLUDES), ("compile_commands.json", "[]")]);
    place
        .run("verify a.c --compile-commands compile_commands.json")
        .ends(2, &["compile_commands.json does not say how a.c is compiled", "-I and -D"]);
}

#[test]
fn missing_headers_for_32_bits_are_replaced_and_told() {
    let script =
        "case \"$*\" in *isystem*) echo 'int main(void) { return 0; }';; *print-multiarch*) ;; *) exit 1;; esac";
    let compiler = Compiler::new(script, &[("a.c", INCLUDES)]);
    let ran = compiler.run("verify a.c --data-model ilp32");
    assert!(ran.err.contains("the headers of the 32-bit C library are missing"), "{ran:#?}");
}

#[test]
fn what_is_defined_counts_without_directives() {
    let text = "extern void reach_error(void);\nint main(void) { if (LIMIT == 7) reach_error(); return 0; }\n";
    let place = Place::new(&[("a.c", text)]);
    place.run("verify a.c -D LIMIT=7").ends(10, &["false(unreach-call)"]);
    place.run("verify a.c -D LIMIT=8").ends(0, &["true"]);
}

#[test]
fn only_files_are_preprocessed() {
    use std::io::Write;
    let mut child = {
        let place = Place::new(&[]);
        let mut command = place.command("verify - --language c");
        command.stdin(std::process::Stdio::piped()).spawn().expect("the built program")
    };
    child.stdin.take().expect("a pipe").write_all(INCLUDES.as_bytes()).expect("it reads");
    let ran = Ran::new(&child.wait_with_output().expect("it ends"), Duration::ZERO);
    ran.ends(2, &["standard input has to be preprocessed", "cc -E"]);
}

#[test]
fn several_files_are_for_one_language_that_links() {
    let place = Place::new(&[("a.bp", "void main() begin skip; end"), ("b.bp", ""), ("c.c", "int x;")]);
    place.run("verify a.bp b.bp").ends(2, &["a program of this language is one file"]);
    place.run("verify a.bp c.c").ends(2, &["a.bp is boolean-program, and c.c is c"]);
    place.run("check a.bp b.bp w.json").ends(2, &["one file"]);
}

#[test]
fn options_have_few_values() {
    for arguments in
        ["verify a.c --data-model llp64", "verify a.c --overflow saturate", "verify a.c --undefined ignore", "verify"]
    {
        Place::new(&[]).run(arguments).ends(1, &[]);
    }
    Place::new(&[]).run("verify --help").ends(0, &["C programs:", "--data-model", "--compile-commands"]);
}

#[test]
fn tasks_stand_alone() {
    let place = Place::new(&[("t.yml", "format_version: '2.0'\ninput_files: missing.c\n"), ("a.c", "int x;")]);
    place.run("verify t.yml a.c").ends(2, &["a task file names the files of its program itself"]);
    place.run("verify t.yml").ends(2, &["missing.c", "there is no such file"]);
    place.run("verify none.yml").ends(2, &["none.yml", "there is no such file"]);
    place.run("verify t.yml --witness t.yml --force").ends(2, &["t.yml is an input of this run"]);
}

#[test]
fn a_harness_is_for_c() {
    let place = Place::new(&[("a.bp", "void main() begin assert(F); end"), ("h.c", "mine")]);
    place.run("verify a.bp --harness new.c").ends(2, &["a harness is for C programs"]);
    place.run("verify a.bp --harness h.c").ends(2, &["h.c exists", "--force"]);
    place.run("verify a.bp --harness x.c --witness x.c").ends(2, &["one file"]);
    assert_eq!(place.read("h.c"), "mine");
}
