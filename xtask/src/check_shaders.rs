//! `cargo xtask check-shaders`: provides other compilers, and has shader-checks ask them.

use crate::{
    command::{Command, build_dir, root},
    consent::run_after_yes,
    files::{copy, create_dir, read, write},
    packages::{Distribution, install_with_apt},
};
use std::path::Path;

/// Programs that must be there: how to find out, and Debian's packages.
const PROGRAMS: [(&str, &str, &str); 5] = [
    ("node", "--version", "nodejs"),
    ("npm", "--version", "npm"),
    ("python3", "-m pip --version", "python3-pip"),
    ("g++", "--version", "g++"),
    ("spirv-val", "--version", "spirv-tools"),
];

/// The library's name in the source package, and the name that programs look for.
const DXC_LIBRARY: (&str, &str) = ("libdxcompiler_x86_64.so.3.7", "libdxcompiler.so.3.7");
const DXC_HEADERS: [&str; 2] = ["dxcapi.h", "WinAdapter.h"];
/// The source package that carries them; its hash is in tools/dxc/requirements.txt.
const DXC_PACKAGE: &str = "compushady-0.17.5";

/// Provides the compilers, and asks them.
///
/// # Errors
///
/// A sentence that says what to install, what the compilers refused, or what they failed to refuse.
pub fn run(yes: bool, all: bool) -> Result<(), String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("DXC's library is for Linux on x86-64: run this on such a machine".to_owned());
    }
    provide_programs(yes)?;
    let tools = build_dir()?.with_file_name("check-shaders");
    let sources = root().join("shader-checks/tools");
    download(yes, &sources, &tools)?;

    let dxc = tools.join("dxc");
    Command::new("g++", "-std=c++17 -O1 -Wall -Wno-unknown-pragmas -I")
        .arg(&dxc)
        .arg(sources.join("dxc/compile.cpp"))
        .arg(dxc.join(DXC_LIBRARY.1))
        .args("-Wl,-rpath,$ORIGIN -o")
        .arg(dxc.join("compile"))
        .run()?;
    let ask = Command::cargo("run --package shader-checks --").arg(tools);
    if all { ask.arg("--all") } else { ask }.run()
}

fn provide_programs(yes: bool) -> Result<(), String> {
    let missing: Vec<&str> = PROGRAMS
        .into_iter()
        .filter(|(program, arguments, _)| !Command::new(program, arguments).works())
        .map(|(_, _, package)| package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let missing = missing.join(" ");
    println!("These packages are missing: {missing}");
    if !Distribution::here().has_apt() {
        return Err(format!("install what Debian's packages {missing} have"));
    }
    install_with_apt(&missing, yes)
}

/// Dawn and DXC, in the versions that tools/ names, unless they are there.
fn download(yes: bool, sources: &Path, tools: &Path) -> Result<(), String> {
    let (tint, dxc) = (tools.join("tint"), tools.join("dxc"));
    let requirements = sources.join("dxc/requirements.txt");
    for directory in [&tint, &dxc] {
        create_dir(directory)?;
    }
    for name in ["package.json", "package-lock.json", "check.mjs"] {
        copy(&sources.join("tint").join(name), &tint.join(name))?;
    }
    // Of which versions the downloads are.
    let lock = read(&tint.join("package-lock.json"))?;
    let wanted = lock + &read(&requirements)?;
    let stamp = tools.join("downloaded");
    if read(&stamp).is_ok_and(|downloaded| downloaded == wanted) {
        return Ok(());
    }
    println!("Dawn (npm's webgpu) and DXC (in PyPI's {DXC_PACKAGE}) are to be downloaded.");
    let npm = Command::new("npm", "ci --ignore-scripts --no-audit --no-fund --prefix").arg(&tint);
    let pip = Command::new(
        "python3",
        "-m pip download --no-deps --no-binary compushady --require-hashes",
    )
    .arg("--requirement")
    .arg(&requirements)
    .arg("--dest")
    .arg(&dxc);
    let members = DXC_HEADERS.into_iter().chain([DXC_LIBRARY.0]);
    let tar = Command::new("tar", "--extract --strip-components 3 --directory")
        .arg(&dxc)
        .arg("--file")
        .arg(dxc.join(format!("{DXC_PACKAGE}.tar.gz")));
    let tar = members
        .fold(tar, |tar, member| tar.arg(format!("{DXC_PACKAGE}/compushady/backends/{member}")));
    let instead = "fetch them as these commands do";
    run_after_yes(yes, &[npm, pip, tar], instead)?;
    copy(&dxc.join(DXC_LIBRARY.0), &dxc.join(DXC_LIBRARY.1))?;
    write(&stamp, &wanted)
}
