//! `cargo xtask check-targets`: what the tests do not build type-checks, crates for other targets and the fuzz
//! targets.

use crate::{
    command::{Command, build_dir},
    packages::{Distribution, install_with_apt},
};
use std::path::Path;

/// Each target, and what is checked for it.
const TARGETS: [(&str, &str); 2] = [
    ("wasm32-unknown-unknown", "--package gridfold --no-default-features"),
    ("x86_64-pc-windows-gnu", "--package gridfold --package gridfold-cli"),
];

/// Debian's toolchain, with the standard library's source, and what makes import libraries for Windows of it.
const PACKAGES: &str = "rustc-web cargo-web rust-web-src binutils-mingw-w64-x86-64";

/// Checks the fuzz targets and every other target, until one fails.
///
/// # Errors
///
/// A sentence that says how to repeat it.
pub fn run(yes: bool) -> Result<(), String> {
    // Not where rust-analyzer and the tests build: two toolchains would build everything anew, in turn.
    let target_dir = build_dir()?.with_file_name("check-targets");
    println!("\n== fuzz");
    Command::cargo("check --locked --manifest-path fuzz/Cargo.toml")
        // Where libFuzzer is said to be, it is not compiled, which takes a C++ compiler. Nothing is linked here.
        .env("CUSTOM_LIBFUZZER_PATH", target_dir.join("libFuzzer.a"))
        .env("CARGO_TARGET_DIR", &target_dir)
        .run()?;
    for (target, packages) in TARGETS {
        println!("\n== {target}");
        let arguments = format!("check {packages} --target {target}");
        let check = if has_standard_library(target)? {
            Command::cargo(&arguments)
        } else {
            provide_debians(yes, target)?;
            Command::new("/usr/bin/cargo", &arguments)
                .arg("-Zbuild-std=std,panic_abort")
                .env("RUSTC", "/usr/bin/rustc")
                // For the line above; Debian's toolchain is a stable one.
                .env("RUSTC_BOOTSTRAP", "1")
        };
        check.env("CARGO_TARGET_DIR", &target_dir).run()?;
    }
    Ok(())
}

/// Whether the toolchain in use comes with the target's standard library.
fn has_standard_library(target: &str) -> Result<bool, String> {
    let libraries = Command::new("rustc", "--print target-libdir --target").arg(target).output()?;
    Ok(Path::new(libraries.trim()).exists())
}

fn provide_debians(yes: bool, target: &str) -> Result<(), String> {
    if Distribution::here() != Distribution::Debian {
        return Err(format!(
            "the toolchain has no standard library for {target}: run `rustup target add {target}`"
        ));
    }
    if Command::new("dpkg-query", "--show").args(PACKAGES).works() {
        return Ok(());
    }
    println!(
        "The toolchain has no standard library for {target}. `rustup target add {target}` installs \
         it; Debian's packages can build it."
    );
    install_with_apt(PACKAGES, yes)
}
