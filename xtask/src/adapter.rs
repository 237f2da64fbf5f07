//! Whether there is a GPU adapter, and Mesa's software Vulkan where there is none.

use crate::{
    command::{Command, build_dir},
    consent::run_after_yes,
};
use serde_json::Value;
use std::{
    env::consts::EXE_SUFFIX,
    fs,
    io::{self, IsTerminal},
};

/// The tests' choice of adapters: selectors, separated by commas, or `none`.
pub const CHOICE: &str = "GRIDFOLD_TEST_ADAPTERS";
/// Mesa's software driver, as a selector.
const LAVAPIPE: &str = "vulkan/llvmpipe";

/// What there is to test on.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// A GPU, or several.
    Gpu,
    /// No GPU, but Mesa's software Vulkan.
    Lavapipe,
    /// Neither. Software OpenGL, which many machines have, does not count: it has no subgroups.
    Nothing,
}

/// Makes sure that there is an adapter to test on, installing one if need be. Returns the value that
/// [`CHOICE`] must have, unless it needs none: then the tests run on every adapter there is.
///
/// # Errors
///
/// A sentence, if there is none and none could be installed.
pub fn provide(yes: bool) -> Result<Option<&'static str>, String> {
    let mut found = look()?;
    if found == Found::Nothing {
        println!("There is no GPU adapter. Mesa's software Vulkan driver can take its place.");
        install(yes)?;
        found = look()?;
    }
    match found {
        Found::Gpu => Ok(None),
        Found::Lavapipe => Ok(Some(LAVAPIPE)),
        Found::Nothing => Err("Mesa's software Vulkan driver is installed, but no adapter is found: \
             `RUST_LOG=wgpu_hal=debug cargo run -- adapters` tells why; environment variables such as \
             WGPU_BACKEND or VK_DRIVER_FILES may hide it"
            .to_owned()),
    }
}

fn look() -> Result<Found, String> {
    let program = build_dir()?.join(format!("gridfold{EXE_SUFFIX}"));
    let json = Command::new(program, "adapters --json").output()?;
    let adapters: Vec<Value> = serde_json::from_str(&json)
        .map_err(|error| format!("`gridfold adapters --json` printed no JSON array: {error}"))?;
    for adapter in &adapters {
        let text = |key: &str| adapter[key].as_str().unwrap_or("?");
        let usable = if adapter["usable"] == true { "" } else { ", not usable" };
        println!("{}/{}/{}{usable}", text("backend"), text("name"), text("driver"));
    }
    Ok(judge(&adapters))
}

fn judge(adapters: &[Value]) -> Found {
    let usable = || adapters.iter().filter(|adapter| adapter["usable"] == true);
    let is_lavapipe = |adapter: &Value| {
        adapter["backend"] == "vulkan"
            && adapter["name"].as_str().is_some_and(|name| name.starts_with("llvmpipe"))
    };
    if usable().any(|adapter| adapter["device_type"] != "software") {
        Found::Gpu
    } else if usable().any(is_lavapipe) {
        Found::Lavapipe
    } else {
        Found::Nothing
    }
}

const PACKAGES: &str = "mesa-vulkan-drivers libvulkan1";

/// Installs Mesa's software Vulkan.
fn install(yes: bool) -> Result<(), String> {
    let advice = match std::env::consts::OS {
        "linux" => {
            let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
            match distribution(&release) {
                Distribution::Debian => return install_with_apt(yes),
                Distribution::Fedora => "`sudo dnf install mesa-vulkan-drivers vulkan-loader`",
                Distribution::Arch => "`sudo pacman -S vulkan-swrast vulkan-icd-loader`",
                Distribution::Other => {
                    "your distribution's Vulkan loader and Mesa's software Vulkan driver (lavapipe)"
                }
            }
        }
        "macos" => "nothing: a Mac has Metal, unless it is a virtual machine without a GPU",
        "windows" => "your GPU's driver, or Mesa for Windows with lavapipe as a Vulkan driver",
        _ => "a Vulkan driver",
    };
    Err(format!(
        "there is no GPU adapter, and it takes Debian or Ubuntu to install one from here; install \
         {advice}, or run `{CHOICE}=none cargo xtask test` to leave out the GPU tests"
    ))
}

#[derive(Debug, PartialEq, Eq)]
enum Distribution {
    Debian,
    Fedora,
    Arch,
    Other,
}

/// The family, by the ID and ID_LIKE of /etc/os-release.
fn distribution(os_release: &str) -> Distribution {
    let field = |name: &str| {
        os_release
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
            .unwrap_or_default()
            .trim_matches(['"', '\''])
    };
    let mut families = field("ID").split(' ').chain(field("ID_LIKE").split(' '));
    families
        .find_map(|family| match family {
            "debian" | "ubuntu" => Some(Distribution::Debian),
            "fedora" | "rhel" => Some(Distribution::Fedora),
            "arch" => Some(Distribution::Arch),
            _ => None,
        })
        .unwrap_or(Distribution::Other)
}

fn install_with_apt(yes: bool) -> Result<(), String> {
    let is_root = Command::new("id", "-u").output()?.trim() == "0";
    let terminal = io::stdin().is_terminal();
    // Through env, because sudo keeps little of the environment.
    let (program, before) = match (is_root, terminal) {
        (true, _) => ("env", ""),
        (false, true) => ("sudo", "env"),
        // Where nobody can type a password, sudo must not ask for one.
        (false, false) => ("sudo", "--non-interactive env"),
    };
    let apt_get = |arguments: &str| {
        let apt_get = "DEBIAN_FRONTEND=noninteractive apt-get";
        Command::new(program, &format!("{before} {apt_get} {arguments}"))
    };
    let update = apt_get("update");
    let install = apt_get(&format!("install --yes --no-install-recommends {PACKAGES}"));

    let instead = format!("install {PACKAGES}");
    run_after_yes(yes, &[update, install], &instead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_counts_as_an_adapter() {
        let adapter = |backend: &str, name: &str, device_type: &str, usable: bool| json!({ "backend": backend, "name": name, "device_type": device_type, "usable": usable });
        let lavapipe = adapter("vulkan", "llvmpipe (LLVM 15.0.6, 256 bits)", "software", true);
        let opengl = adapter("gl", "llvmpipe (LLVM 15.0.6, 256 bits)", "software", true);
        let broken = adapter("vulkan", "Some GPU", "discrete GPU", false);
        let gpu = adapter("vulkan", "NVIDIA H200", "discrete GPU", true);

        assert_eq!(judge(&[]), Found::Nothing);
        assert_eq!(judge(&[opengl.clone(), broken.clone()]), Found::Nothing);
        assert_eq!(judge(&[opengl, lavapipe.clone(), broken]), Found::Lavapipe);
        assert_eq!(judge(&[lavapipe, gpu]), Found::Gpu);
    }

    #[test]
    fn distributions() {
        let debian = "PRETTY_NAME=\"Debian GNU/Linux 12\"\nVERSION_ID=\"12\"\nID=debian\n";
        assert_eq!(distribution(debian), Distribution::Debian);
        assert_eq!(distribution("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"), Distribution::Debian);
        assert_eq!(distribution("ID=\"rocky\"\nID_LIKE=\"rhel centos\"\n"), Distribution::Fedora);
        assert_eq!(distribution("ID=arch\n"), Distribution::Arch);
        assert_eq!(distribution("ID=nixos\n"), Distribution::Other);
        assert_eq!(distribution(""), Distribution::Other);
    }
}
