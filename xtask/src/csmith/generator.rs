//! Csmith's programs, and the checksums that GCC computes.

use crate::tools::installed;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tamis_fuzz::c::compiler::limited;

/// What the programs include.
const HEADER: &str = include_str!("csmith.h");

/// How long Csmith and the compiler may take, and how long a program may run.
const PATIENCE: Duration = Duration::from_secs(20);
const RUN: Duration = Duration::from_secs(2);

/// Programs of a size that is decided in seconds. Without floating-point numbers, whose arithmetic
/// is over-approximated.
const SIZES: &str = "--no-argc --concise --no-float --max-funcs 4 --max-block-depth 3 --max-block-size 3 \
                     --max-array-dim 2 --max-array-len-per-dim 4 --max-struct-fields 5 --max-expr-complexity 6";

/// Which programs.
#[derive(clap::Args)]
pub struct Generator {
    /// With volatile variables; `--tell` must then say that they are memory, if that is not usual
    #[arg(long)]
    volatiles: bool,
    /// With packed structs
    #[arg(long)]
    packed: bool,
    /// More options for Csmith
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    options: String,
}

/// A program, and the checksum that GCC computes.
pub struct Program {
    pub file: PathBuf,
    pub checksum: u64,
}

/// # Errors
/// If Csmith is missing.
pub fn is_installed() -> Result<(), String> {
    installed(&["csmith"]).map(|_| ()).ok_or_else(|| "Csmith is missing: `apt-get install csmith`".into())
}

impl Generator {
    /// Csmith's options.
    fn options(&self) -> Vec<&str> {
        let mut options: Vec<&str> = SIZES.split_whitespace().collect();
        if !self.volatiles {
            options.extend(["--no-volatiles", "--no-volatile-pointers"]);
        }
        if !self.packed {
            options.push("--no-packed-struct");
        }
        options.extend(self.options.split_whitespace());
        options
    }

    /// The program of a seed, in a folder with the header, or why it cannot be asked about.
    ///
    /// # Errors
    /// If Csmith or GCC does not make a program that ends soon.
    pub fn program(&self, seed: u64, room: &Path) -> Result<Program, String> {
        let (file, binary) = (room.join("program.c"), room.join("program"));
        fs::write(room.join("csmith.h"), HEADER).map_err(|why| why.to_string())?;
        let mut csmith = Command::new("csmith");
        csmith.args(["--seed", &seed.to_string(), "--output"]).arg(&file).args(self.options()).current_dir(room);
        if !limited(&mut csmith, room, PATIENCE)?.status.success() {
            return Err("Csmith makes no program".into());
        }
        let mut compiler = Command::new("gcc");
        compiler.args(["-O0", "-w", "-fwrapv", "-I"]).arg(room).arg("-o").arg(&binary).arg(&file);
        if !limited(&mut compiler, room, PATIENCE)?.status.success() {
            return Err("does not compile here".into());
        }
        let run = limited(&mut Command::new(&binary), room, RUN)?;
        let checksum = String::from_utf8_lossy(&run.stdout).trim().parse();
        Ok(Program { file, checksum: checksum.map_err(|_| format!("ends with {} here", run.status))? })
    }
}

impl Program {
    /// Copies the program into a folder, with the header in place of the line that includes it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, folder: &Path, name: &str, macros: &[String]) -> Result<(), String> {
        let trouble = |why: std::io::Error| format!("{}: {why}", folder.display());
        fs::create_dir_all(folder).map_err(trouble)?;
        let text = fs::read_to_string(&self.file).map_err(trouble)?;
        fs::write(folder.join(format!("{name}.c").replace(' ', "_")), whole(&text, macros)).map_err(trouble)
    }
}

/// A text that needs no header and no macros from outside.
fn whole(text: &str, macros: &[String]) -> String {
    let define = |given: &String| format!("#define {}\n", given.trim_start_matches("-D").replacen('=', " ", 1));
    let defines: String = macros.iter().map(define).collect();
    text.replacen("#include \"csmith.h\"\n", &(defines + HEADER), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_programs_are_whole() {
        let text = whole("#include \"csmith.h\"\nint main(void);\n", &["-DCHECKSUM=7ULL".into(), "-DDENIED".into()]);
        assert!(text.starts_with("#define CHECKSUM 7ULL\n#define DENIED\n/*"), "{text}");
        assert!(text.ends_with("INT64_MAX)\nint main(void);\n"), "{text}");
    }

    #[test]
    fn the_last_option_is_the_users() {
        let generator = Generator { volatiles: true, packed: false, options: "--builtins --max-funcs 9".into() };
        let options = generator.options();
        assert!(options.ends_with(&["--no-packed-struct", "--builtins", "--max-funcs", "9"]), "{options:?}");
        assert!(!options.contains(&"--no-volatiles"), "{options:?}");
    }
}
