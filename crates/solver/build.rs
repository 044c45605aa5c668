//! Finds the Z3 that the crate links against: a folder that the user names, or the one in Z3's
//! Python package, which pip fetches once for each target directory.
//!
//! Binaries find the library by paths relative to themselves: see `.cargo/config.toml`. The command
//! also knows where it is now, so that it runs where `cargo install` puts it.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};
use std::{env, fs, io};

/// What is fetched. Another version also needs another `Z3_SYS_Z3_VERSION` in the configuration.
const PACKAGE: &str = "z3-solver==5.3.2.0";
/// Names a folder that holds another Z3.
const OVERRIDE: &str = "TAMIS_Z3_LIB";
/// What the linker looks for.
const LIBRARY: &str = if cfg!(target_os = "macos") { "libz3.dylib" } else { "libz3.so" };

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed={OVERRIDE}");
    match library().and_then(|folder| Ok((offer(&folder)?, folder))) {
        Ok((offered, folder)) => {
            println!("cargo:rerun-if-changed={}", folder.join(LIBRARY).display());
            println!("cargo:rustc-link-search=native={}", offered.display());
            println!("cargo:lib={}", folder.display());
            if let Some(program) = program(&folder) {
                println!("cargo:rustc-env=TAMIS_Z3_PROGRAM={}", program.display());
            }
        }
        Err(error) => {
            for line in error.to_string().lines() {
                println!("cargo::error={line}");
            }
        }
    }
}

/// The folder that holds the library.
fn library() -> Result<PathBuf, Box<dyn Error>> {
    if let Some(folder) = env::var_os(OVERRIDE) {
        let folder = PathBuf::from(folder);
        if !folder.join(LIBRARY).exists() {
            return Err(format!("{OVERRIDE} names {}, where there is no {LIBRARY}", folder.display()).into());
        }
        return Ok(fs::canonicalize(folder)?);
    }
    let home = target_directory()?.join("z3");
    if !home.join("lib").join(LIBRARY).exists() {
        fetch(&home).map_err(|error| {
            format!(
                "Z3 cannot be fetched: {error}\n\
                 Tamis links against the Z3 in the Python package {PACKAGE}, which `python3 -m pip` downloads \
                 when Tamis is built first.\n\
                 Install Python with pip and try again, or set {OVERRIDE} to a folder that holds {LIBRARY} of Z3 5.3."
            )
        })?;
    }
    Ok(home.join("lib"))
}

/// The program that belongs to the library, as packages lay them out: in a `bin` near its folder.
fn program(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().skip(1).take(2).map(|above| above.join("bin/z3")).find(|program| program.is_file())
}

/// Links the library where Cargo finds it when it runs programs, tests and examples in
/// documentation: that is, below the folder of the profile.
fn offer(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let offered = out_directory()?.join("lib");
    fs::create_dir_all(&offered)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| name.starts_with("libz3.")) {
            let link = offered.join(entry.file_name());
            if link.exists() {
                fs::remove_file(&link)?;
            }
            // Folders on other file systems can only be copied.
            fs::hard_link(entry.path(), &link).or_else(|_| fs::copy(entry.path(), &link).map(|_| ()))?;
        }
    }
    Ok(offered)
}

fn out_directory() -> Result<PathBuf, Box<dyn Error>> {
    Ok(PathBuf::from(env::var_os("OUT_DIR").ok_or("Cargo sets no OUT_DIR")?))
}

/// Where Cargo puts what it builds: the folder that it has marked as a cache, or else the one
/// above the folder of the profile and of the target's triple.
fn target_directory() -> Result<PathBuf, Box<dyn Error>> {
    let out = out_directory()?;
    if let Some(marked) = out.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists()) {
        return Ok(marked.to_owned());
    }
    let triple = env::var_os("TARGET");
    let above = out.ancestors().nth(4).ok_or("OUT_DIR is not below a target directory")?;
    Ok(match above.parent() {
        Some(parent) if above.file_name() == triple.as_deref() => parent.to_owned(),
        Some(_) | None => above.to_owned(),
    })
}

/// Fetches the package into a folder of its own, which then gets its name in one step: so builds
/// that run at the same time do not disturb each other.
fn fetch(home: &Path) -> Result<(), Box<dyn Error>> {
    let draft = home.with_extension(format!("draft-{}", std::process::id()));
    let result = fill(&draft).and_then(|()| match fs::rename(draft.join("z3"), home) {
        // What was there may be a part of something older.
        Err(_) if !home.join("lib").join(LIBRARY).exists() => {
            fs::remove_dir_all(home)?;
            Ok(fs::rename(draft.join("z3"), home)?)
        }
        Err(_) | Ok(()) => Ok(()),
    });
    // If it cannot be removed, it is only in the way of nobody.
    let _ = fs::remove_dir_all(&draft);
    result
}

/// Makes the folder `z3` with `lib` and `bin` in the draft.
fn fill(draft: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(draft)?;
    let wheels = draft.join("wheels");
    let download = ["-m", "pip", "download", PACKAGE, "--no-deps", "--only-binary", ":all:", "--quiet"];
    python(draft, &[&download[..], &["--disable-pip-version-check", "--dest", "wheels"]].concat())?;
    let wheel = fs::read_dir(&wheels)?.next().ok_or("pip left no file behind")??.path();
    let wheel = wheel.to_str().ok_or("pip left a file with an odd name behind")?;
    python(draft, &["-m", "zipfile", "-e", wheel, "wheel"])?;

    let (lib, bin) = (draft.join("z3/lib"), draft.join("z3/bin"));
    fs::create_dir_all(&bin)?;
    fs::rename(draft.join("wheel/z3/lib"), &lib)?;
    share(&lib)?;
    age(&lib.join(LIBRARY))?;
    for entry in fs::read_dir(draft.join("wheel"))? {
        let program = entry?.path().join("data/bin/z3");
        if program.exists() {
            allow_to_run(&program)?;
            fs::rename(program, bin.join("z3"))?;
        }
    }
    Ok(())
}

/// The package holds the library twice, with its version in the name and without: once will do.
fn share(lib: &Path) -> io::Result<()> {
    let plain = lib.join(LIBRARY);
    for entry in fs::read_dir(lib)? {
        let path = entry?.path();
        let named = path.file_name().and_then(|name| name.to_str());
        if named.is_some_and(|name| name.starts_with("libz3.so.")) {
            fs::remove_file(&plain)?;
            return fs::hard_link(path, plain);
        }
    }
    Ok(())
}

/// Runs Python, under whichever name it has.
fn python(folder: &Path, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    for name in ["python3", "python"] {
        match Command::new(name).args(arguments).current_dir(folder).output() {
            Ok(ran) if ran.status.success() => return Ok(()),
            Ok(ran) => {
                let said = String::from_utf8_lossy(&ran.stderr);
                return Err(format!("`{name} {}` failed: {}", arguments[..3].join(" "), said.trim()).into());
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{name} cannot be run: {error}").into()),
        }
    }
    Err("there is no Python".into())
}

/// Makes a file look older than this build, because Cargo would build again what depends on a
/// file that changed during the build.
fn age(file: &Path) -> io::Result<()> {
    fs::File::options().append(true).open(file)?.set_modified(SystemTime::now() - Duration::from_hours(1))
}

#[cfg(unix)]
fn allow_to_run(program: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(program, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn allow_to_run(_: &Path) -> io::Result<()> {
    Ok(())
}
