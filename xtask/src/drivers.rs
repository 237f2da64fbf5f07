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
    /// Which cases of `tests/gpu` it runs, unless all are asked for. Every kernel meets some driver, in the self-test at least; what backends see, and
    /// what no driver changes, is seen on few.
    pub cases: &'static str,
    /// Those of them, by a part of the name, that it goes without, unless all are asked for: to compile their shaders takes long, and other
    /// drivers or other cases see the same, or GPUs alone do.
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

/// Mesa's Vulkan driver. Its subgroups are the CPU's vectors of 32-bit lanes. The layer sees the calls of what runs on it.
const LAVAPIPE: Driver = Driver {
    name: "lavapipe-8",
    selector: "vulkan/llvmpipe",
    subgroup_size: Some(8),
    settings: &[("LP_NATIVE_VECTOR_WIDTH", "256")],
    validated: true,
    cases: "golden",
    // Most of their time Mesa compiles shaders. A few operators and vectors of each kind stay, and the self-test, which asks every
    // kernel. OpenGL has most of what goes through workgroup memory.
    without: &[
        // Sweeps over operators and types. Of levels of precision those of sums stay.
        "every level of m",
        "every level of p",
        "every level of a",
        "every level of b",
        "every level of c",
        "every level of n",
        "every level of t",
        "every kind of operator",
        "components, each",
        "components, vectors of integers",
        "all vectors of products",
        "extrema and places, vectors of",
        "narrow elements, vectors of",
        "maps, every operator",
        "maps, norms",
        "maps of 64 bits, every operator",
        "maps of three, operators",
        "columns, operators",
        "scans, every operator",
        "scans, some operators",
        "scans, several components",
        "scans by operators, NaNs",
        "scans by operators, all NaN",
        "scans by operators, any and all",
        "scans by operators, both extrema",
        "scans by operators, places",
        "scans by operators, squares",
        "scans by operators, in place",
        "scans by operators, windows",
        "scans by operators, values",
        "scans by operators, the last",
        "scans in a single pass, groups of blocks, by",
        "segments, operators and types",
        "segments, NaNs by every rule",
        "segments along axes, operators",
        "segments along axes, NaNs",
        "segments along axes, exact",
        "segments, between offsets in windows, operators",
        "selections by random predicates",
        "selections of several components",
        "selections in a single pass, of elements",
        "short inputs in a batch, operators",
        // Large kernels.
        "vectors of brief moments",
        "vectors of moments",
        "moments of groups of blocks",
        "scans, variances",
        "scans, moments",
        "scans, both places",
        "scans of many words, windows",
        "large accumulators",
        "[workgroup-memory] custom ",
        "[workgroup-memory] maps",
        "distances",
        "segments of f64s",
        "exact segments, narrow floats",
        "exact segments, squares, of lengths",
        "exact segments of f64, of each layout",
        "exact segments of f64, of arrays",
        "self-test, floats in software",
        // The same as the self-test, once more, as `gridfold check`.
        "check::",
        "vectors of f64 products, in software",
        "vectors of f64 means, in software",
        "vectors of f64 sums of squares, in software",
        "vectors of f64 norms, in software",
        "vectors of f64 dot products, in software",
        "maps, in software",
        "maps of components, in software",
        "maps of three, in software",
        "selections by predicates, in software",
        "maps, random expressions",
        "maps of 64 bits, random expressions",
        "maps, floats that are",
        "maps, exact results of pairs",
        // What lies where.
        "scans, from any place",
        "scans of masks",
        "[workgroup-memory] scans of arrays",
        "scans after parts, windows",
        "scans after parts, far",
        "segments, strided",
        "segments, rows and axes of several slices",
        "segments, groups in one pass of several slices",
        "segments between offsets of arrays",
        "selections in a single pass, from any place",
        "selections in a single pass, by predicates",
        "selections in a single pass, where kernels",
        "maps, squares",
        "maps of three, strided",
        "short inputs in a batch, exact",
        "custom operators, batches",
        "custom operators, of a byte",
        "custom scans, in any order",
        "custom scans, in place",
        "custom scans, of a byte",
        // Subgroups in memory of other sizes than 4 and 64.
        "in memory, subgroups of 8,",
        "in memory, subgroups of 16,",
        "in memory, subgroups of 128,",
        // Much to compute.
        "of more than 2^32",
    ],
    programs: &["gpu", "out_of_memory", "adapters"],
    one_by_one: false,
    packages: "mesa-vulkan-drivers libvulkan1 vulkan-validationlayers",
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
    "vectors of f64 m",
    "vectors of f64 v",
    "vectors of f64 n",
    "vectors of f64 p",
    "vectors of f64 d",
    "vectors of f64 sample",
    "vectors of f64 sums of squares",
    "vectors of f32 sample",
    "collectives of sum u64",
    "collectives of max",
    "sorts of 64",
    "groups of blocks",
    "scans, lengths",
    "values that the device is not right for",
    "extrema and places",
    "masks, vectors",
];

/// The same with other subgroups, for what is about these.
const OTHER_LAVAPIPE: Driver = Driver {
    validated: false,
    cases: "kernels",
    programs: &["gpu"],
    packages: "mesa-vulkan-drivers libvulkan1",
    ..LAVAPIPE
};

pub static DRIVERS: [Driver; 5] = [
    LAVAPIPE,
    Driver {
        name: "lavapipe-4",
        without: OF_NO_SUBGROUPS,
        subgroup_size: Some(4),
        settings: &[("LP_NATIVE_VECTOR_WIDTH", "128")],
        ..OTHER_LAVAPIPE
    },
    Driver {
        name: "lavapipe-16",
        without: OF_NO_SUBGROUPS,
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
        cases: "interface",
        // They are about kernels, not about the backend: lavapipe or GPUs see the same.
        without: &[
            "check::",
            "statistics::",
            "memory::",
            "types::",
            "self-test",
            "moments",
            "large accumulators",
            "narrow elements",
            "strided elements, a few",
            "segments, strided elements, exact",
            "parts, ",
            "example",
            "every level of",
            "every kind of",
            "all kinds of",
            "every size",
            "of more than 2^32",
            "components, a few",
            "components, each",
            "exact f64",
            "vectors of f64 ",
            "host slices in chunks, exact",
            "scans, every operator",
            "scans, some operators",
            "scans by operators",
            "scans, variances",
            "scans, both places",
            "scans, several components",
            "scans, values of executors",
            "scans in place",
            "scans of many words",
            "scans after parts",
            "exact segments",
            "segments of f64s",
            "segments, a million",
            "segments, random",
            "segments, NaNs by every rule",
            "segments, operators",
            "segments, vectors",
            "segments, windows",
            "segments, between offsets in windows",
            "segments, between offsets, of several slices",
            "segments between offsets of arrays",
            "segments along several axes",
            "segments along axes, from any",
            "segments along axes, operators",
            "segments along axes, exact",
            "segments in groups, in one pass",
            "histograms, vectors",
            "even bins",
            "selections of several components",
            "selections by random predicates",
            "selections by predicates, lengths",
            "counted, scans",
            "counted, pairs",
            "a batch, operators",
            "short inputs in a batch, exact",
            "sorts of",
            "collectives of tiles",
            "custom operators, in order",
            "custom operators, of a byte",
            "custom operators, batches",
            "custom scans, in order",
            "custom scans, more blocks",
            "custom scans, in any order",
            "custom scans, of a byte",
            "custom scans, in place",
            "custom scans, windows",
            "custom segments, by all calls",
            "maps, short expressions",
            "maps, pairs",
            "maps, places",
            "maps, means of some",
            "maps, exact results",
            "maps, squares",
            "maps, strided",
            "maps, parameters",
            "maps, functions",
            "maps, every operator",
            "maps, norms",
            "random expressions",
            "maps, in software, norms",
            "maps, in software, exact",
            "maps of components",
            "maps of 64 bits",
            "maps of every type",
            "maps of three, slices",
            "maps of three, strided",
            "maps of three, every type",
            "maps of three, in software",
            "maps of three, operators",
            "maps of three, functions",
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
            "components, from",
            "extrema and places",
            "random cuts",
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
