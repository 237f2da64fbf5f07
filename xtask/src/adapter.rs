//! Whether there is a GPU adapter, and Mesa's software Vulkan where there is none.

use crate::{
    command::{Command, build_dir},
    packages::{Distribution, install_with_apt},
};
use serde_json::Value;
use std::{env::consts::EXE_SUFFIX, ffi::OsString};

/// The tests' choice of adapters: selectors, separated by commas, or `none`.
pub const CHOICE: &str = "GRIDFOLD_TEST_ADAPTERS";
/// Mesa's software driver, as a selector.
const LAVAPIPE: &str = "vulkan/llvmpipe";
const PACKAGES: &str = "mesa-vulkan-drivers libvulkan1";

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
        if !Distribution::here().has_apt() {
            return Err(format!(
                "it takes Debian or Ubuntu to install one from here; install your GPU's driver, or Mesa's software \
                 Vulkan driver (lavapipe) and a Vulkan loader, which Debian calls {PACKAGES}, or run \
                 `{CHOICE}=none cargo xtask test` to leave out the GPU tests"
            ));
        }
        install_with_apt(PACKAGES, yes)?;
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
    let adapters = list(Vec::new())?;
    for adapter in &adapters {
        let usable = if adapter["usable"] == true { "" } else { ", not usable" };
        println!("{}{usable}", full_name(adapter));
    }
    Ok(judge(&adapters))
}

/// The adapters that the program lists in an environment.
///
/// # Errors
///
/// A sentence, if it lists nothing.
pub fn list(environment: Vec<(&'static str, OsString)>) -> Result<Vec<Value>, String> {
    let json = program("adapters --json")?.envs(environment).output()?;
    serde_json::from_str(&json)
        .map_err(|error| format!("`gridfold adapters --json` printed no JSON array: {error}"))
}

/// The program that the step `build` has built.
pub fn program(arguments: &str) -> Result<Command, String> {
    Ok(Command::new(build_dir()?.join(format!("gridfold{EXE_SUFFIX}")), arguments))
}

/// What selectors select from.
pub fn full_name(adapter: &Value) -> String {
    ["backend", "name", "driver"].map(|key| adapter[key].as_str().unwrap_or("?")).join("/")
}

/// The GPUs of this machine, by their indices, or `none`, as [`CHOICE`] has them.
///
/// # Errors
///
/// As [`list`].
pub fn gpus() -> Result<String, String> {
    Ok(choice_of_gpus(&list(Vec::new())?))
}

fn choice_of_gpus(adapters: &[Value]) -> String {
    let gpus: Vec<String> = adapters
        .iter()
        .filter(|adapter| is_gpu(adapter))
        .map(|adapter| adapter["index"].to_string())
        .collect();
    if gpus.is_empty() { "none".to_owned() } else { gpus.join(",") }
}

fn is_gpu(adapter: &Value) -> bool {
    adapter["usable"] == true && adapter["device_type"] != "software"
}

fn judge(adapters: &[Value]) -> Found {
    let is_lavapipe = |adapter: &Value| {
        adapter["usable"] == true
            && adapter["backend"] == "vulkan"
            && adapter["name"].as_str().is_some_and(|name| name.starts_with("llvmpipe"))
    };
    if adapters.iter().any(is_gpu) {
        Found::Gpu
    } else if adapters.iter().any(is_lavapipe) {
        Found::Lavapipe
    } else {
        Found::Nothing
    }
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
    fn gpus_are_chosen_by_index() {
        let adapter = |index: u32, device_type: &str| json!({ "index": index, "device_type": device_type, "usable": true });
        let software = adapter(1, "software");
        let gpus = [adapter(0, "discrete GPU"), software.clone(), adapter(2, "integrated GPU")];
        assert_eq!(choice_of_gpus(&gpus), "0,2");
        assert_eq!(choice_of_gpus(&[software]), "none");
    }
}
