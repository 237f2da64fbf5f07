//! The rungs: what each is about, its module, and how it is dispatched.

use crate::{
    modules::{self, Module},
    work::{self, LANES, Work},
};

/// A rung of the ladder, or of one of its companions.
#[derive(Debug)]
pub struct Rung {
    /// Which part it belongs to, and its number there.
    pub number: &'static str,
    /// In a few words.
    pub name: &'static str,
    /// What changes, and why it helps: a line.
    pub about: &'static str,
    /// Its shaders.
    pub module: &'static Module,
    /// What its elements are.
    pub layout: Layout,
    /// How it is dispatched.
    pub passes: Passes,
    /// What it does.
    pub work: fn(Size) -> Work,
}

/// What a rung takes its elements for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Floats, of which there is one sum.
    Elements,
    /// The same, converted to integers.
    Integers,
    /// Structs of three floats, and a sum for each field.
    ThreeInterleaved,
    /// Three arrays, one after another, and a sum for each.
    ThreeApart,
    /// Structs of four floats, and the sum of the last field.
    OneOfStructs,
    /// Four arrays, one after another, and the sum of the last one.
    OneOfArrays,
}

/// How a rung is dispatched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passes {
    /// Once, a workgroup for so many elements. Totals are added to.
    One(u64),
    /// For so many elements a workgroup, and again for what they leave, until there is one value.
    Levels(u64),
    /// For so many elements a workgroup, and one more workgroup for what they leave.
    Two(u64),
    /// Once, by so many workgroups at most, whose invocations take vectors or structs one after another.
    Strides(u64),
}

/// As many workgroups as there can be in [`Passes::Strides`]: four times the 256 that fill a GPU of 128 processors with two each.
const STRIDING_WORKGROUPS: u64 = 1024;
/// Rounds of these at least, if there is enough for them: with fewer there would be nothing but trees and atomics.
const FEWEST_ROUNDS: u64 = 4;

/// What work depends on.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Elements.
    pub len: u64,
    /// Elements or structs of the layout.
    pub count: u64,
    /// Workgroups of the first dispatch.
    pub workgroups: u64,
    /// What an invocation takes one after another.
    pub rounds: u64,
    /// Invocations of a subgroup; 1 where there are none.
    pub subgroup_size: u64,
}

impl Layout {
    /// How many elements or whole structs of this layout there are in `len` elements; one at least, with padding.
    pub fn count(self, len: u64) -> u64 {
        match self {
            Self::Elements | Self::Integers => len,
            Self::ThreeInterleaved | Self::ThreeApart => (len / 3).max(1),
            Self::OneOfStructs | Self::OneOfArrays => (len / 4).max(1),
        }
    }

    /// Bytes that are wanted.
    pub fn bytes(self, len: u64) -> u64 {
        let words = match self {
            Self::ThreeInterleaved | Self::ThreeApart => 3,
            Self::Elements | Self::Integers | Self::OneOfStructs | Self::OneOfArrays => 1,
        };
        4 * words * self.count(len)
    }
}

impl Rung {
    /// How `len` elements are cut.
    pub fn size(&self, len: u64, subgroup_size: u64) -> Size {
        let count = self.layout.count(len);
        let (workgroups, rounds) = match self.passes {
            Passes::One(items) | Passes::Levels(items) | Passes::Two(items) => {
                (count.div_ceil(items), 1)
            }
            Passes::Strides(most) => {
                // Vectors of four, if the elements are no structs.
                let units = if self.layout == Layout::Elements { count.div_ceil(4) } else { count };
                let workgroups = units.div_ceil(FEWEST_ROUNDS * LANES).min(most);
                (workgroups, units.div_ceil(workgroups * LANES))
            }
        };
        Size { len, count, workgroups, rounds, subgroup_size }
    }
}

/// What the library's line says.
pub const GRIDFOLD: (&str, &str, &str) = (
    "15",
    "gridfold",
    "the same bits everywhere: several loads of 16 bytes in flight, one order of additions, one pass where memory is coherent, else two",
);

/// The ladder, from the bottom up, and its two companions.
pub const RUNGS: [Rung; 18] = [
    Rung {
        number: "1",
        name: "one atomic per element",
        about: "contention: every addition waits for the one before, as if there were one invocation",
        module: &modules::ATOMIC_PER_ELEMENT,
        layout: Layout::Elements,
        passes: Passes::One(LANES),
        work: |size| work::atomic_per_element(size.len),
    },
    Rung {
        number: "2",
        name: "atomics on vector sums",
        about: "contention: four elements are added in registers, so a quarter of the atomics queue",
        module: &modules::ATOMIC_PER_VECTOR,
        layout: Layout::Elements,
        passes: Passes::One(4 * LANES),
        work: |size| work::atomic_per_vector(size.len),
    },
    Rung {
        number: "3",
        name: "interleaved tree, divergent",
        about: "a tree instead of a queue: log n steps; but divergence: lanes at work lie among idle ones in every subgroup",
        module: &modules::INTERLEAVED_DIVERGENT,
        layout: Layout::Elements,
        passes: Passes::Levels(LANES),
        work: |size| work::tree(size.len),
    },
    Rung {
        number: "4",
        name: "interleaved tree, strided",
        about: "no divergence: the first lanes work, whole subgroups retire; but bank conflicts: their words lie 2, 4, 8 … apart",
        module: &modules::INTERLEAVED_STRIDED,
        layout: Layout::Elements,
        passes: Passes::Levels(LANES),
        work: |size| work::tree(size.len),
    },
    Rung {
        number: "5",
        name: "sequential addressing",
        about: "no bank conflicts: neighbouring lanes use neighbouring words of workgroup memory",
        module: &modules::SEQUENTIAL,
        layout: Layout::Elements,
        passes: Passes::Levels(LANES),
        work: |size| work::tree(size.len),
    },
    Rung {
        number: "6",
        name: "first add during load",
        about: "work per lane: no lane only loads, half the workgroups, and two loads in flight hide more of their latency",
        module: &modules::FIRST_ADD,
        layout: Layout::Elements,
        passes: Passes::Levels(2 * LANES),
        work: |size| work::first_add(size.len),
    },
    Rung {
        number: "7",
        name: "last subgroup unrolled",
        about: "no barriers in the last steps: subgroup operations do them (lockstep in memory would be a race)",
        module: &modules::LAST_SUBGROUP,
        layout: Layout::Elements,
        passes: Passes::Levels(2 * LANES),
        work: |size| work::last_subgroup(size.len, size.subgroup_size),
    },
    Rung {
        number: "8",
        name: "shuffle-down",
        about: "registers instead of workgroup memory, and one barrier for all steps; but all subgroups shuffle, none retires",
        module: &modules::SHUFFLE_DOWN,
        layout: Layout::Elements,
        passes: Passes::Levels(2 * LANES),
        work: |size| work::shuffle_down(size.len, size.subgroup_size),
    },
    Rung {
        number: "9",
        name: "shuffle-xor, two passes",
        about: "two dispatches instead of one for each level of workgroups; but one workgroup folds all partials, round after round",
        module: &modules::TWO_PASSES,
        layout: Layout::Elements,
        passes: Passes::Two(2 * LANES),
        work: |size| work::two_passes(size.len, size.subgroup_size),
    },
    Rung {
        number: "10",
        name: "workgroup atomics",
        about: "one dispatch: an atomic per workgroup is little contention; but the order of additions is lost",
        module: &modules::WORKGROUP_ATOMIC,
        layout: Layout::Elements,
        passes: Passes::One(2 * LANES),
        work: |size| work::workgroup_atomic(size.len, size.subgroup_size),
    },
    Rung {
        number: "11",
        name: "subgroup-leader atomics",
        about: "no barrier and no workgroup memory; more contention: an atomic per subgroup",
        module: &modules::SUBGROUP_ATOMIC,
        layout: Layout::Elements,
        passes: Passes::One(2 * LANES),
        work: |size| work::subgroup_atomic(size.len, size.subgroup_size),
    },
    Rung {
        number: "12",
        name: "grid-stride, 16-byte loads",
        about: "a lane adds many vectors in registers, so trees, barriers and atomics are few; loads are wide, and still coalesced",
        module: &modules::GRID_STRIDE,
        layout: Layout::Elements,
        passes: Passes::Strides(STRIDING_WORKGROUPS),
        work: |size| work::grid_stride(size.workgroups, size.rounds),
    },
    Rung {
        number: "13",
        name: "three fields interleaved",
        about: "coalescing lost: an array of structs, each load of a subgroup spreads over three times the cache lines",
        module: &modules::FIELDS_INTERLEAVED,
        layout: Layout::ThreeInterleaved,
        passes: Passes::Strides(STRIDING_WORKGROUPS),
        work: |size| work::fields(3, size.count, size.workgroups, size.rounds),
    },
    Rung {
        number: "14",
        name: "three fields one after another",
        about: "coalescing: a struct of arrays, the same sums from loads that lie side by side",
        module: &modules::FIELDS_APART,
        layout: Layout::ThreeApart,
        passes: Passes::Strides(STRIDING_WORKGROUPS),
        work: |size| work::fields(3, size.count, size.workgroups, size.rounds),
    },
    Rung {
        number: "A1",
        name: "array of structs",
        about: "coalescing: one field of four is wanted, but whole cache lines come (GB/s of what is wanted)",
        module: &modules::ONE_OF_STRUCTS,
        layout: Layout::OneOfStructs,
        passes: Passes::Strides(STRIDING_WORKGROUPS),
        work: |size| work::fields(1, size.count, size.workgroups, size.rounds),
    },
    Rung {
        number: "A2",
        name: "struct of arrays",
        about: "coalescing: the field has an array of its own, and every byte that comes is wanted",
        module: &modules::ONE_OF_ARRAYS,
        layout: Layout::OneOfArrays,
        passes: Passes::Strides(STRIDING_WORKGROUPS),
        work: |size| work::fields(1, size.count, size.workgroups, size.rounds),
    },
    Rung {
        number: "B1",
        name: "one atomic per element, integers",
        about: "contention alone: integers are added by the memory itself (some drivers turn this into B2)",
        module: &modules::INTEGER_PER_ELEMENT,
        layout: Layout::Integers,
        passes: Passes::One(LANES),
        work: |size| work::atomic_per_element(size.len),
    },
    Rung {
        number: "B2",
        name: "one atomic per subgroup, integers",
        about: "contention: lanes add in registers, and one of them queues for all",
        module: &modules::INTEGER_PER_SUBGROUP,
        layout: Layout::Integers,
        passes: Passes::One(LANES),
        work: |size| work::integer_per_subgroup(size.len, size.subgroup_size),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Every module is a rung's, and what rungs say of it is so.
    #[test]
    fn rungs_say_what_their_modules_are() {
        let rungs = RUNGS.iter().map(|rung| rung.module.name);
        assert!(rungs.eq(modules::ALL.iter().map(|module| module.name)));
        let of_subgroups = RUNGS.iter().filter(|rung| rung.module.needs_subgroups());
        assert!(of_subgroups.map(|rung| rung.number).eq(["7", "8", "9", "10", "11", "B2"]));
        for rung in &RUNGS {
            let text = rung.module.compose(modules::FloatAtomics::Native);
            assert_eq!(rung.module.has_fold(), matches!(rung.passes, Passes::Two(_)));
            let has_partials = matches!(rung.passes, Passes::Two(_) | Passes::Levels(_));
            assert_eq!(text.contains("partials[workgroup] ="), has_partials, "{}", rung.name);
            assert_eq!(text.contains("params.rounds"), {
                matches!(rung.passes, Passes::Two(_) | Passes::Strides(_))
            });
            assert!(!rung.about.contains('\n') && rung.about.len() < 130, "{}", rung.name);
        }
        assert!(
            modules::ATOMIC_PER_ELEMENT
                .compose(modules::FloatAtomics::Native)
                .contains(&format!("const LANES = {LANES}u;"))
        );
    }

    /// Strides and rounds cover everything, and no round is for nothing.
    #[test]
    fn strides_cover_everything() {
        let rung = RUNGS.iter().find(|rung| rung.number == "12").expect("there is one");
        for (len, workgroups, rounds) in [
            (1, 1, 1),
            (1024, 1, 1),
            (1025, 1, 2),
            (4096, 1, 4),
            (4097, 2, 3),
            (1 << 22, 1024, 4),
            ((1 << 22) + 1, 1024, 5),
            (1 << 25, 1024, 32),
        ] {
            let size = rung.size(len, 1);
            assert_eq!((size.workgroups, size.rounds), (workgroups, rounds), "{len}");
            assert!(4 * LANES * workgroups * rounds >= len);
        }
    }
}
