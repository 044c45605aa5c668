//! The tools that tests ask for, and how they are found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

/// A program of others.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// What it is, for messages; no two are called the same.
    pub what: &'static str,
    /// How to get it: the Debian packages.
    pub how: &'static str,
    /// Looks for the program, and tries whether it works.
    pub find: fn() -> Option<PathBuf>,
}

/// Makes programs that run here.
pub const COMPILER: Tool =
    Tool { what: "a C compiler", how: "apt-get install gcc libc6-dev", find: || compiler(&[], Some(HOSTED)) };

/// Makes programs of 32 bits that need no library.
pub const COMPILER_32: Tool =
    Tool { what: "a C compiler for 32 bits", how: "apt-get install gcc", find: || compiler(&["-m32"], None) };

/// Makes programs of 32 bits that call the C library, and they run here.
pub const LIBRARY_32: Tool = Tool {
    what: "a C library for 32 bits",
    how: "apt-get install gcc-multilib",
    find: || compiler(&["-m32"], Some(HOSTED)),
};

/// Makes programs that are watched for errors of memory and undefined behaviour.
pub const SANITIZERS: Tool = Tool {
    what: "a C compiler with sanitizers",
    how: "apt-get install gcc libc6-dev",
    find: || compiler(&["-fsanitize=undefined,address"], Some(HOSTED)),
};

/// The variable `Z3`, the program that the build has fetched with the library, or one in the `PATH`.
pub const Z3: Tool = Tool {
    what: "the command z3",
    how: "the build of tamis-solver fetches it; or name one in the variable Z3",
    find: || env::var_os("Z3").map(PathBuf::from).or_else(fetched_z3).or_else(|| in_path("z3")),
};

/// A solver that interpolates.
pub const CVC5: Tool = Tool { what: "the solver cvc5", how: "apt-get install cvc5", find: || in_path("cvc5") };

impl Tool {
    /// The program, for which a process looks once.
    pub(crate) fn program(&self) -> Option<PathBuf> {
        static FOUND: Mutex<BTreeMap<&str, Option<PathBuf>>> = Mutex::new(BTreeMap::new());
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        found.entry(self.what).or_insert_with(self.find).clone()
    }
}

/// The program of that name.
#[must_use]
pub fn in_path(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn fetched_z3() -> Option<PathBuf> {
    let exe = env::current_exe().ok()?;
    exe.ancestors().map(|folder| folder.join("z3/bin/z3")).find(|path| path.is_file())
}

/// A program that needs the headers of the library, and the library.
const HOSTED: &str = "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n";

/// The system's compiler, if it takes the flags, and what it makes of the program runs.
fn compiler(flags: &[&str], program: Option<&str>) -> Option<PathBuf> {
    let folder = env::temp_dir().join(format!("tamis-testing-{}{}", std::process::id(), flags.concat()));
    fs::create_dir_all(&folder).ok()?;
    let works = works(&folder, flags, program).unwrap_or(false);
    // What is left in the folder of temporary files disturbs nobody.
    let _ = fs::remove_dir_all(&folder);
    in_path("cc").filter(|_| works)
}

fn works(folder: &Path, flags: &[&str], program: Option<&str>) -> std::io::Result<bool> {
    fs::write(folder.join("a.c"), program.unwrap_or("int x;\n"))?;
    let mut compiler = Command::new("cc");
    compiler.args(flags).args(if program.is_some() { &["-o", "a"][..] } else { &["-c"] }).arg("a.c");
    let built = compiler.current_dir(folder).output()?.status.success();
    Ok(built && (program.is_none() || Command::new(folder.join("a")).output()?.status.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_compiler_does_not_take_is_not_found() {
        assert_eq!(compiler(&["--no-such-flag"], Some(HOSTED)), None);
        assert_eq!(compiler(&["-w"], Some("this is no program")), None);
        assert_eq!(compiler(&["-std=gnu11"], Some("int main(void) { return 3; }")), None);
    }

    #[test]
    fn every_tool_has_a_name_of_its_own() {
        let all = [COMPILER, COMPILER_32, LIBRARY_32, SANITIZERS, Z3, CVC5];
        let names: std::collections::BTreeSet<&str> = all.iter().map(|tool| tool.what).collect();
        assert_eq!(names.len(), all.len());
    }
}
