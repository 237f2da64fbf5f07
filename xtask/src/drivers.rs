//! The drivers in software that tests can run on, as data.

use crate::{command::root, packages::Distribution};
use std::{ffi::OsString, path::PathBuf};

/// A driver, its settings, and what its adapter must then be.
pub struct Driver {
    /// What `--drivers` calls it.
    pub name: &'static str,
    /// Its adapter: the backend, and the beginning of the name.
    pub selector: &'static str,
    /// The size that subgroups must have; `None` if there must be none.
    pub subgroup_size: Option<u32>,
    settings: &'static [(&'static str, &'static str)],
    /// Whether Khronos' validation layer watches it, in all programs but `out_of_memory`, which turns the layer off.
    pub validated: bool,
    /// Whether tests run on it on each commit. `--long` takes every driver.
    pub is_in_tier_1: bool,
    /// The test programs that it runs in tier 1. The first driver runs all.
    pub programs: &'static [&'static str],
    /// Whether tests run one after another.
    pub one_by_one: bool,
    /// Debian's packages.
    pub packages: &'static str,
    /// Whether Ubuntu has all of these packages.
    in_ubuntu: bool,
}

const SWIFTSHADER_FILE: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";

/// Mesa's Vulkan driver. Its subgroups are the CPU's vectors of 32-bit lanes. The layer sees the calls of what runs on it.
const LAVAPIPE: Driver = Driver {
    name: "lavapipe-8",
    selector: "vulkan/llvmpipe",
    subgroup_size: Some(8),
    settings: &[("LP_NATIVE_VECTOR_WIDTH", "256")],
    validated: true,
    is_in_tier_1: true,
    programs: &["gpu", "out_of_memory", "adapters"],
    one_by_one: false,
    packages: "mesa-vulkan-drivers libvulkan1 vulkan-validationlayers",
    in_ubuntu: true,
};

/// The same with other subgroups, for what is about these.
const OTHER_LAVAPIPE: Driver = Driver {
    validated: false,
    is_in_tier_1: false,
    programs: &["gpu"],
    packages: "mesa-vulkan-drivers libvulkan1",
    ..LAVAPIPE
};

pub static DRIVERS: [Driver; 5] = [
    LAVAPIPE,
    Driver {
        name: "lavapipe-4",
        subgroup_size: Some(4),
        settings: &[("LP_NATIVE_VECTOR_WIDTH", "128")],
        ..OTHER_LAVAPIPE
    },
    Driver {
        name: "lavapipe-16",
        subgroup_size: Some(16),
        settings: &[("LP_NATIVE_VECTOR_WIDTH", "512")],
        ..OTHER_LAVAPIPE
    },
    Driver {
        name: "opengl",
        selector: "gl/llvmpipe",
        subgroup_size: None,
        settings: &[("LIBGL_ALWAYS_SOFTWARE", "1")],
        validated: false,
        is_in_tier_1: true,
        programs: &["gpu", "adapters"],
        // There is one context for all devices, and wgpu (30) panics if it has to wait for it for more than 6 seconds:
        // as long as the first submission of a batch of many kinds may take, which compiles their shaders.
        one_by_one: true,
        packages: "libegl1 libgl1-mesa-dri",
        in_ubuntu: true,
    },
    Driver {
        name: "swiftshader",
        selector: "vulkan/swiftshader",
        subgroup_size: Some(4),
        // Loaders before 1.3.207 know the second name only.
        settings: &[("VK_DRIVER_FILES", SWIFTSHADER_FILE), ("VK_ICD_FILENAMES", SWIFTSHADER_FILE)],
        validated: false,
        is_in_tier_1: false,
        programs: &["gpu"],
        one_by_one: false,
        packages: "chromium libvulkan1",
        // Its Chromium is a snap.
        in_ubuntu: false,
    },
];

/// The name that stands for all drivers.
const ALL: &str = "all";

/// What `--drivers` takes.
pub fn names() -> impl Iterator<Item = &'static str> {
    [ALL].into_iter().chain(DRIVERS.iter().map(|driver| driver.name))
}

/// The drivers of these names.
pub fn named(names: &[String]) -> Vec<&'static Driver> {
    let is_named = |driver: &&Driver| names.iter().any(|name| name == ALL || name == driver.name);
    DRIVERS.iter().filter(is_named).collect()
}

impl Driver {
    /// Whether the distribution has its packages.
    pub fn is_packaged(&self, distribution: Distribution) -> bool {
        match distribution {
            Distribution::Debian => true,
            Distribution::Ubuntu => self.in_ubuntu,
            Distribution::Other => false,
        }
    }

    /// The environment of a program that runs on it.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let (backend, _) = self.selector.split_once('/').expect("selectors begin with a backend");
        let mut environment = vec![("WGPU_BACKEND", backend.into())];
        environment.extend(self.settings.iter().map(|&(name, value)| (name, value.into())));
        if self.validated {
            environment.extend(validation("complaints.txt"));
        } else {
            // wgpu would use the layer in debug builds, if it is there.
            environment.push(("WGPU_VALIDATION", "0".into()));
        }
        environment
    }

    /// The same, with a validation layer that also says that it is there.
    pub fn greeting_environment(&self) -> Vec<(&'static str, OsString)> {
        let mut environment = self.environment();
        environment.extend(validation("greeting.txt"));
        environment
    }
}

fn validation(settings: &str) -> [(&'static str, OsString); 3] {
    let path: PathBuf = root().join("xtask/validation").join(settings);
    [
        ("WGPU_VALIDATION", "1".into()),
        // Else SPIR-V names its source language, and layers from before July 2023, such as Debian 12's,
        // know no WGSL: https://github.com/gfx-rs/wgpu/issues/7375
        ("WGPU_DEBUG", "0".into()),
        ("VK_LAYER_SETTINGS_PATH", path.into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_of(drivers: Vec<&Driver>) -> Vec<&str> {
        drivers.iter().map(|driver| driver.name).collect()
    }

    #[test]
    fn every_name_is_one_driver() {
        let all = names_of(named(&["all".to_owned()]));
        assert_eq!(all.len(), DRIVERS.len());
        assert_eq!(names().collect::<Vec<_>>(), [vec!["all"], all.clone()].concat());
        for name in all {
            assert_eq!(names_of(named(&[name.to_owned()])), [name]);
        }
        // In the table's order, each once.
        let some = ["opengl", "lavapipe-4", "opengl"].map(str::to_owned);
        assert_eq!(names_of(named(&some)), ["lavapipe-4", "opengl"]);
    }

    #[test]
    fn one_driver_runs_every_program() {
        let all = DRIVERS.iter().filter(|it| it.is_in_tier_1 && it.programs.len() == 3);
        assert_eq!(names_of(all.collect()), ["lavapipe-8"]);
    }

    #[test]
    fn ubuntu_lacks_swiftshader() {
        let lacking = |distribution| {
            names_of(DRIVERS.iter().filter(|driver| !driver.is_packaged(distribution)).collect())
        };
        assert_eq!(lacking(Distribution::Debian), [""; 0]);
        assert_eq!(lacking(Distribution::Ubuntu), ["swiftshader"]);
        assert_eq!(lacking(Distribution::Other).len(), DRIVERS.len());
    }

    #[test]
    fn lavapipe_subgroups_are_vectors() {
        for driver in DRIVERS.iter().filter(|driver| driver.selector == LAVAPIPE.selector) {
            let environment = driver.environment();
            let value = |name| environment.iter().find(|setting| setting.0 == name);
            let (_, bits) = value("LP_NATIVE_VECTOR_WIDTH").expect("a width");
            let lanes = bits.to_str().expect("text").parse::<u32>().expect("a number") / 32;
            assert_eq!(driver.subgroup_size, Some(lanes), "{}", driver.name);
        }
    }

    #[test]
    fn validation_is_on_or_off() {
        for driver in &DRIVERS {
            let environment = driver.environment();
            let settings = environment.iter().filter(|setting| setting.0 == "WGPU_VALIDATION");
            let values: Vec<_> = settings.map(|(_, value)| value.to_str()).collect();
            assert_eq!(values, [Some(if driver.validated { "1" } else { "0" })]);
        }
        for file in ["complaints.txt", "greeting.txt"] {
            assert!(root().join("xtask/validation").join(file).is_file(), "{file}");
        }
    }
}
