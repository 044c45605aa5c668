//! An installed command is far from the library that it was linked with: it keeps the place.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Ok(folder) = std::env::var("DEP_TAMIS_Z3_LIB") {
        println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{folder}");
    }
}
