//! Which files make up the ladder's modules.

/// A module: files that are put one after another.
#[derive(Debug)]
pub struct Module {
    /// The last file's name, without its ending.
    pub name: &'static str,
    /// Their texts, but for the file that says how floats are added atomically.
    texts: &'static [&'static str],
}

/// How floats are added atomically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatAtomics {
    /// By the device.
    Native,
    /// By compare and exchange.
    Exchange,
}

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!("../shaders/", $name, ".wgsl"))
    };
}

macro_rules! modules {
    ($($constant:ident: [$($part:literal)*] $name:literal;)*) => {
        $(
            #[doc = concat!("ladder/shaders/", $name, ".wgsl, and what comes before it.")]
            pub const $constant: Module =
                Module { name: $name, texts: &[text!("params"), $(text!($part),)* text!($name)] };
        )*

        /// All of them, in the order of the rungs.
        pub const ALL: &[&Module] = &[$(&$constant),*];
    };
}

modules! {
    ATOMIC_PER_ELEMENT: ["elements"] "atomic_per_element";
    ATOMIC_PER_VECTOR: ["vectors"] "atomic_per_vector";
    INTERLEAVED_DIVERGENT: ["elements" "partials"] "interleaved_divergent";
    INTERLEAVED_STRIDED: ["elements" "partials"] "interleaved_strided";
    SEQUENTIAL: ["elements" "partials"] "sequential";
    FIRST_ADD: ["elements" "partials"] "first_add";
    LAST_SUBGROUP: ["elements" "partials"] "last_subgroup";
    SHUFFLE_DOWN: ["elements" "partials"] "shuffle_down";
    TWO_PASSES: ["elements" "partials" "shuffle_xor"] "two_passes";
    WORKGROUP_ATOMIC: ["elements" "shuffle_xor"] "workgroup_atomic";
    SUBGROUP_ATOMIC: ["elements" "shuffle_xor"] "subgroup_atomic";
    GRID_STRIDE: ["vectors"] "grid_stride";
    FIELDS_INTERLEAVED: [] "fields_interleaved";
    FIELDS_APART: ["elements"] "fields_apart";
    ONE_OF_STRUCTS: [] "one_of_structs";
    ONE_OF_ARRAYS: ["elements"] "one_of_arrays";
    INTEGER_PER_ELEMENT: ["elements"] "integer_per_element";
    INTEGER_PER_SUBGROUP: ["elements"] "integer_per_subgroup";
}

impl Module {
    /// The entry point that every module has.
    pub const MAIN: &'static str = "main";
    /// The entry point of a second pass.
    pub const FOLD: &'static str = "fold";

    fn has(&self, words: &str) -> bool {
        self.texts.iter().any(|text| text.contains(words))
    }

    /// Whether it adds floats atomically, so that there are two of it.
    pub fn adds_floats(&self) -> bool {
        self.has("total_add(")
    }

    /// Whether it has a second pass.
    pub fn has_fold(&self) -> bool {
        self.has("fn fold(")
    }

    /// Whether it does without no subgroups.
    pub fn needs_subgroups(&self) -> bool {
        self.has("@builtin(subgroup_")
    }

    /// WGSL. What adds no floats atomically is the same for both ways.
    pub fn compose(&self, float_atomics: FloatAtomics) -> String {
        let mut texts = self.texts.to_vec();
        if self.adds_floats() {
            texts.push(match float_atomics {
                FloatAtomics::Native => text!("totals_native"),
                FloatAtomics::Exchange => text!("totals_exchange"),
            });
        }
        texts.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::Path};

    /// Every file is in some module, all of it.
    #[test]
    fn every_file_is_used() {
        let ways = [FloatAtomics::Native, FloatAtomics::Exchange];
        let texts: Vec<String> =
            ALL.iter().flat_map(|module| ways.map(|way| module.compose(way))).collect();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
        for entry in fs::read_dir(root).expect("a folder") {
            let path = entry.expect("an entry").path();
            let file = fs::read_to_string(&path).expect("a text");
            assert!(texts.iter().any(|text| text.contains(&file)), "{}", path.display());
        }
    }
}
