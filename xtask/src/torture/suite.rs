//! GCC's torture tests: where they come from, and which programs they are.
//!
//! The sources of GCC are a package of Debian. Only the folder of the tests is unpacked, below
//! `target`; nothing of it is part of this project.

use super::directives::{extra_options, options};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package, and where it puts the sources.
const PACKAGE: &str = "gcc-12-source";
const SOURCES: &str = "usr/src/gcc-12";

/// The tests within the sources.
const TESTS: &str = "gcc/testsuite/gcc.c-torture/execute";

/// A test: a program that aborts if it was not compiled well.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its path below the folder of the tests, without the ending.
    pub name: String,
    /// The files that are compiled together.
    pub files: Vec<PathBuf>,
    /// What it asks of the compiler.
    pub options: Vec<String>,
}

/// All programs of the suite, by name. They are fetched if they are not there.
///
/// # Errors
/// If they cannot be fetched or read.
pub fn programs(folder: &Path) -> Result<Vec<Program>, String> {
    let tests = folder.join("execute");
    if !tests.exists() {
        unpack(&tarball(folder)?, folder, &tests)?;
    }
    let mut programs = Vec::new();
    for part in ["", "builtins", "ieee"] {
        for file in files(&tests.join(part))? {
            programs.extend(program(&tests, part, &file));
        }
    }
    programs.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(programs)
}

/// The sources of GCC, as the package has them.
fn tarball(folder: &Path) -> Result<PathBuf, String> {
    let find = |root: &Path| {
        let files = files(&root.join(SOURCES)).unwrap_or_default();
        files.into_iter().find(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("gcc-") && name.ends_with(".tar.xz")
        })
    };
    let package = folder.join("package");
    if let Some(found) = find(Path::new("/")).or_else(|| find(&package)) {
        return Ok(found);
    }
    eprintln!("fetching Debian's package {PACKAGE}");
    fs::create_dir_all(&package).map_err(|why| why.to_string())?;
    run(Command::new("apt-get").args(["download", PACKAGE]).current_dir(&package))?;
    let fetched = files(&package)?.into_iter().find(|file| file.extension().is_some_and(|ending| ending == "deb"));
    let fetched = fetched.ok_or_else(|| format!("apt-get downloaded no {PACKAGE}"))?;
    run(Command::new("dpkg").arg("-x").arg(&fetched).arg(&package))?;
    find(&package).ok_or_else(|| format!("{PACKAGE} has no sources of GCC"))
}

/// Unpacks the tests into a folder that gets its name when it is complete.
fn unpack(tarball: &Path, folder: &Path, tests: &Path) -> Result<(), String> {
    let partial = folder.join("unpacking");
    fs::create_dir_all(&partial).map_err(|why| why.to_string())?;
    let mut command = Command::new("tar");
    command.arg("-xJf").arg(tarball).arg("-C").arg(&partial);
    command.arg("--strip-components=4").args(["--wildcards", &format!("*/{TESTS}")]);
    run(&mut command)?;
    let moved = fs::rename(partial.join("execute"), tests).and_then(|()| fs::remove_dir(&partial));
    moved.map_err(|why| format!("{}: {why}", tests.display()))
}

/// Runs a command that must succeed.
fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|why| format!("{command:?}: {why}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

/// The files of a folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let trouble = |why: std::io::Error| format!("{}: {why}", folder.display());
    let entries = fs::read_dir(folder).map_err(trouble)?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    Ok(paths.map_err(trouble)?.into_iter().filter(|path| path.is_file()).collect())
}

/// The program that a file begins, if it begins one. A test of a function that the compiler knows
/// has two more files: its own version of the function, and the `main` of all these tests.
fn program(tests: &Path, part: &str, file: &Path) -> Option<Program> {
    let stem = file.file_stem()?.to_str()?;
    if file.extension()? != "c" || stem.ends_with("-lib") {
        return None;
    }
    let mut files = vec![file.to_owned()];
    if part == "builtins" {
        files.extend([file.with_file_name(format!("{stem}-lib.c")), tests.join("builtins/lib/main.c")]);
    }
    // Some tests are no UTF-8.
    let mut options = options(&String::from_utf8_lossy(&fs::read(file).ok()?));
    options.extend(extra_options(&fs::read_to_string(file.with_extension("x")).unwrap_or_default()));
    let name = Path::new(part).join(stem).display().to_string();
    Some(Program { name, files, options })
}
