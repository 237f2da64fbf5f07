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
    /// Whether Khronos' validation layer watches it.
    pub validated: bool,
    /// Which cases of `tests/gpu` it runs, unless all are asked for. Every kernel meets some driver; what backends see, and
    /// what no driver changes, is seen on few.
    pub cases: &'static str,
    /// Those of them, by a part of the name, that it goes without, unless all are asked for: they take it minutes, and other drivers or
    /// other cases see the same.
    pub without: &'static [&'static str],
    /// The test programs that it runs, likewise. The first driver runs all.
    pub programs: &'static [&'static str],
    /// Whether tests run one after another.
    pub one_by_one: bool,
    /// Debian's packages.
    pub packages: &'static str,
    /// Whether Ubuntu has all of these packages.
    in_ubuntu: bool,
}

const SWIFTSHADER_FILE: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";

/// Mesa's Vulkan driver. Its subgroups are the CPU's vectors of 32-bit lanes.
const LAVAPIPE: Driver = Driver {
    name: "lavapipe-8",
    selector: "vulkan/llvmpipe",
    subgroup_size: Some(8),
    settings: &[("LP_NATIVE_VECTOR_WIDTH", "256")],
    validated: false,
    // All operators in all strategies take it longer than a test of every change should: GPUs have these, and `--long`.
    cases: "golden",
    // It compiles these for minutes. OpenGL has most of what goes through workgroup memory, and scans and batches of some operators of every type. A few
    // operators and vectors of each kind stay. GPUs have all, and so has `--long`.
    without: &[
        "narrow elements, vectors of",
        "extrema and places, vectors of",
        "all vectors of products",
        "maps, norms",
        "maps of components, in software",
        "maps, random expressions",
        "maps, floats that are",
        "maps, in software",
        "maps of 64 bits, every operator",
        "maps of 64 bits, random expressions",
        "maps, every operator",
        "maps, exact results of pairs",
        "maps of three, operators",
        "maps of three, in software",
        "custom scans, large accumulators",
        "scans, variances",
        "scans, moments",
        "scans, both places",
        "every level of nan-",
        "every level of total-",
        "vectors of brief moments",
        "moments of groups of blocks",
        "self-test, floats in software",
        "[workgroup-memory] custom ",
        "[workgroup-memory] maps, exact",
        "[workgroup-memory] maps of three",
        "components, each",
        "scans, from any place",
        "scans, some operators",
        "scans by operators, NaNs",
        "scans by operators, any and all",
        "scans by operators, both extrema",
        "selections in a single pass, from any place",
        "selections in a single pass, by predicates",
        "selections by predicates, in software",
        "short inputs in a batch, operators",
        "scans, every operator",
    ],
    programs: &["gpu", "out_of_memory", "adapters"],
    one_by_one: false,
    packages: "mesa-vulkan-drivers libvulkan1",
    in_ubuntu: true,
};

/// What a subgroup's size changes nothing in, or what other cases of the same collectives see, too.
const OF_NO_SUBGROUPS: &[&str] = &[
    "[workgroup-memory]",
    "custom ",
    "self-test",
    "in software",
    "64-bit elements",
    "large accumulators",
    "moments",
    "histograms",
    "segments",
    "parts, ",
    "maps",
    "predicates ",
    "narrow elements",
    "components, ",
    "strided elements",
    "exact f64",
    "extrema and places",
    "masks, vectors",
];

pub static DRIVERS: [Driver; 6] = [
    LAVAPIPE,
    Driver {
        name: "lavapipe-4",
        without: OF_NO_SUBGROUPS,
        subgroup_size: Some(4),
        settings: &[("LP_NATIVE_VECTOR_WIDTH", "128")],
        cases: "kernels",
        programs: &["gpu"],
        ..LAVAPIPE
    },
    Driver {
        name: "lavapipe-16",
        without: OF_NO_SUBGROUPS,
        subgroup_size: Some(16),
        settings: &[("LP_NATIVE_VECTOR_WIDTH", "512")],
        cases: "kernels",
        programs: &["gpu"],
        ..LAVAPIPE
    },
    Driver {
        name: "lavapipe-validated",
        validated: true,
        cases: "interface",
        // The layer sees calls, not results, and the same ones with both mechanisms.
        without: &[
            "[workgroup-memory] custom",
            "[workgroup-memory] maps",
            "collectives",
            "exact segments",
            "segments of f64s",
            "scans of many words",
            "scans, variances",
            "scans, several components",
            "predicates of ",
            "[workgroup-memory] scans in a single pass",
            "[workgroup-memory] selections in a single pass",
            "maps of 64 bits",
            "maps of three, operators",
            "maps of every type",
            "maps, exact results",
            "maps, places",
            "exact results, of more than",
            "distances",
            "from any place to any place",
            "self-test",
            "vectors of",
            "moments",
            "special values",
            "64-bit elements",
            "large accumulators",
            "every operator",
            "random expressions",
            "maps, norms",
            "maps of components",
            "maps of three, every type",
            "maps, floats that are",
            "scans by operators",
            "scans, both places",
            "by other operators",
            "the pairwise order",
            "masks, vectors",
            "strided elements, a few",
            "segments, strided",
            "segments along axes, exact",
            "scans of masks",
            "segments, NaNs by every rule",
            "segments, vectors",
            "segments between offsets of arrays",
            "histograms, vectors",
            "selections of several components",
            "selections in a single pass, by predicates",
            "selections in a single pass, groups of blocks",
            "selections in a single pass, in memory of others",
            "selections in a single pass, of ",
            "selections in a single pass, where kernels",
            "custom operators, of a byte",
            "in software",
            "every size",
            "every level of",
            "every kind of",
            "all kinds of",
            "operators and types",
            "lengths around",
            "narrow elements",
            "components, ",
            "extrema and places",
            "against plain loops",
            "other workgroups",
            "custom scans, in any order",
            "custom scans, of a byte",
            "custom scans, windows",
            "example ",
        ],
        programs: &["gpu"],
        packages: "mesa-vulkan-drivers libvulkan1 vulkan-validationlayers",
        ..LAVAPIPE
    },
    Driver {
        name: "opengl",
        selector: "gl/llvmpipe",
        subgroup_size: None,
        settings: &[("LIBGL_ALWAYS_SOFTWARE", "1")],
        validated: false,
        cases: "interface",
        // What these see, lavapipe sees, too: they are about kernels, not about the backend. `gridfold check` is the self-test.
        without: &[
            "self-test",
            "of groups of blocks",
            "maps of three, operators",
            "maps of three, functions",
            "maps of 64 bits",
            "floats in software",
            "scans, every operator",
            "scans by operators",
            "scans, variances",
            "scans, both places",
            "scans, several components",
            "scans of many words",
            "large accumulators",
            "custom operators, batches",
            "custom scans, in any order",
            "custom scans, of a byte",
            "custom scans, in place",
            "custom scans, windows",
            "exact segments",
            "segments of f64s",
            "maps, functions",
            "maps, every operator",
            "maps, norms",
            "maps, exact results of pairs",
            "maps of components",
            "components, each",
            "every level of",
            "every kind of",
            "all kinds of",
            "moments",
            "narrow elements",
            "components, a few",
            "strided elements",
            "exact f64",
            "parts, ",
            "scans after parts",
            "segments, a million",
            "segments, random",
            "segments, NaNs by every rule",
            "segments, operators",
            "segments, windows",
            "segments, between offsets, of several slices",
            "segments between offsets of arrays",
            "segments along axes, operators",
            "segments along axes, exact",
            "histograms, vectors",
            "example",
            "even bins",
        ],
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
        cases: "kernels",
        // It takes twenty times as long as lavapipe to compile a shader, and for expressions minutes, and gigabytes.
        without: &[
            "[workgroup-memory]",
            "self-test",
            "vectors of f64",
            "scans, lengths",
            "scans in a single pass",
            "selections in a single pass",
            "custom operators",
            "custom scans",
            "custom segments",
            "every size",
            "own operators",
            "moments",
            "large accumulators",
            "64-bit elements",
            "components, each",
            "parts, ",
            "maps",
            "predicates ",
            "narrow elements",
            "components, a few",
            "strided elements",
            "exact f64",
            "segments, in groups",
            "segments, vectors",
            "shuffles and exchanges",
        ],
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
        let all = DRIVERS.iter().filter(|it| it.cases == "golden" && it.programs.len() == 3);
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
