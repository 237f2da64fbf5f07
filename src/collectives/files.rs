//! Which shader files collectives are made of.

use crate::{
    algebra::{
        element::ElementType,
        operator::{Arithmetic, OperatorSpec, Part},
        operator_type::OperatorType,
    },
    way::Mechanism,
};

/// A family of collectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Collective {
    /// Reductions: of each operator `NAME_subgroup_reduce_all`, `NAME_tile_reduce_all`, `NAME_workgroup_reduce_all`; and, for the first lane alone,
    /// `NAME_subgroup_reduce`, `NAME_tile_reduce` and `NAME_workgroup_reduce`.
    Reduce,
    /// Scans: of each operator `NAME_subgroup_inclusive_scan` and `…_exclusive_scan`, and the same of `tile` and `workgroup`.
    Scan,
    /// Exchanges of values of one word: `PREFIX_TYPE_subgroup_shuffle`, `…_shuffle_up`, `…_shuffle_down`, `…_shuffle_xor`, `…_broadcast`, the same of
    /// `tile`, `workgroup_shuffle`, `workgroup_broadcast`; the type is `u32`, `i32` or `f32`.
    Shuffle,
    /// Exchanges of values of two to four words, as [`Self::Shuffle`]: the type is `u32x2`, `u32x3` or `u32x4`. Of up to 16 words it is `u32x5` and so on, for
    /// the numbers of [`Collectives::words`](crate::wgsl::Collectives::words).
    ShuffleWide,
    /// `PREFIX_subgroup_any`, `…_all`, `…_count`, `…_ballot`, and the same of `tile`; `PREFIX_workgroup_any`, `…_all`, `…_count`.
    #[doc(alias("__syncthreads_count", "__syncthreads_or", "__ballot_sync"))]
    Vote,
    /// `PREFIX_subgroup_rank`, `PREFIX_tile_rank`, `PREFIX_workgroup_rank`: how many lanes before this one say yes. Of a ballot
    /// `PREFIX_ballot_rank`, `PREFIX_ballot_count` and `PREFIX_ballot_nth`; of a word `PREFIX_nth_set_bit` and `PREFIX_reversed_bits`.
    Rank,
    /// `PREFIX_subgroup_match`, `PREFIX_tile_match`: which lanes have the same key.
    Match,
    /// `PREFIX_TYPE_subgroup_compact`, `…_tile_compact`, `…_workgroup_compact`, of values of one word, and of more with
    /// [`Collective::ShuffleWide`]: the kept values, in order, move to the first lanes.
    Compact,
    /// `PREFIX_subgroup_append`, `PREFIX_workgroup_append`: places in a list of all workgroups, by one atomic addition. See
    /// [`Collectives::list`](crate::wgsl::Collectives::list).
    Append,
    /// Segments: of each operator `NAME_subgroup_segmented_reduce`, `…_inclusive_scan` and `…_exclusive_scan`, and the same of `tile` and `workgroup`: within
    /// segments, each of which begins with a lane that says so.
    SegmentedReduce,
    /// `PREFIX_TYPE_workgroup_to_striped`, `PREFIX_TYPE_workgroup_to_blocked`, of values of one word, and of more with
    /// [`Collective::ShuffleWide`]: several items of each lane change their places. See
    /// [`Collectives::items_per_lane`](crate::wgsl::Collectives::items_per_lane).
    Exchange,
    /// `PREFIX_TYPE_workgroup_sort`, `PREFIX_TYPE_workgroup_sort_pairs`, of several keys of each lane; the type is `u32`, `i32` or `f32`.
    Sort,
    /// Sorts by keys of 64 bits, as [`Self::Sort`]: the type is `u64`, `i64` or `f64`, of which keys are `vec2<u32>`, the low word first.
    SortWide,
    /// Totals of a dispatch: of each operator `NAME_device_reduce`: the workgroup that comes last has the total of all. On Vulkan and DX12. See
    /// [`Collectives::ticket`](crate::wgsl::Collectives::ticket).
    Ticket,
}

impl Collective {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Reduce,
        Self::Scan,
        Self::Shuffle,
        Self::ShuffleWide,
        Self::Vote,
        Self::Rank,
        Self::Match,
        Self::Compact,
        Self::Append,
        Self::SegmentedReduce,
        Self::Exchange,
        Self::Sort,
        Self::SortWide,
        Self::Ticket,
    ];

    /// The name in lower case, words joined by `-`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reduce => "reduce",
            Self::Scan => "scan",
            Self::Shuffle => "shuffle",
            Self::ShuffleWide => "shuffle-wide",
            Self::Vote => "vote",
            Self::Rank => "rank",
            Self::Match => "match",
            Self::Compact => "compact",
            Self::Append => "append",
            Self::SegmentedReduce => "segmented-reduce",
            Self::Exchange => "exchange",
            Self::Sort => "sort",
            Self::SortWide => "sort-wide",
            Self::Ticket => "ticket",
        }
    }

    /// Whether it sorts.
    pub(super) const fn sorts(self) -> bool {
        matches!(self, Self::Sort | Self::SortWide)
    }

    /// The file whose functions are the collectives, if they are each operator's.
    pub(super) const fn of_operators(self) -> Option<&'static str> {
        match self {
            Self::Reduce => Some("public/reduce.wgsl"),
            Self::Scan => Some("public/scan.wgsl"),
            Self::SegmentedReduce => Some("public/segments.wgsl"),
            Self::Ticket => Some("public/ticket.wgsl"),
            _ => None,
        }
    }

    /// The same, if they are of flags.
    pub(super) const fn of_flags(self) -> &'static [&'static str] {
        match self {
            Self::Vote => &["public/votes.wgsl"],
            Self::Rank => &["public/rank.wgsl", "public/rank.wgsl@bits"],
            Self::Match => &["public/rank.wgsl@match"],
            Self::Append => &["public/append.wgsl"],
            _ => &[],
        }
    }

    /// The same, if they are of values of some types.
    pub(super) const fn of_items(self, item: &Item) -> Option<&'static str> {
        match self {
            Self::Sort if item.words == 1 => Some("public/sort.wgsl@words"),
            Self::SortWide if item.is_wide_key() => Some("public/sort.wgsl@two_words"),
            // They move as `u32x2`.
            _ if item.is_wide_key() => None,
            Self::Shuffle if item.words == 1 => Some("public/shuffle.wgsl"),
            Self::ShuffleWide if item.words > 1 => Some("public/shuffle.wgsl"),
            Self::Compact => Some("public/compact.wgsl"),
            Self::Exchange if item.words <= VECTOR_WORDS => Some("public/exchange.wgsl"),
            _ => None,
        }
    }
}

impl Item {
    /// Words that a lane has in memory: of longer values some go after others.
    pub(super) fn memory_words(&self) -> u32 {
        self.words.min(VECTOR_WORDS)
    }

    /// Whether it is there to be sorted alone.
    pub(super) const fn is_wide_key(&self) -> bool {
        self.words > 1 && self.key.is_some()
    }
}

/// A type of values that lanes give each other.
pub(super) struct Item {
    /// In functions' names.
    pub(super) name: &'static str,
    file: &'static str,
    /// What makes sorted words of it.
    key: Option<&'static str>,
    pub(super) words: u32,
}

const fn item(
    name: &'static str,
    file: &'static str,
    key: Option<&'static str>,
    words: u32,
) -> Item {
    Item { name, file, key, words }
}

/// The words of the longest vector, and those of the longest value.
pub(super) const VECTOR_WORDS: u32 = 4;
pub(super) const MAX_WORDS: u32 = 16;

/// The file of all types that are arrays of words.
pub(super) const LONG_ITEM: &str = "public/item.wgsl@words";

const fn words(name: &'static str, words: u32) -> Item {
    item(name, LONG_ITEM, None, words)
}

/// All types.
pub(super) const ITEMS: [Item; 21] = [
    item("u32", "public/item.wgsl@u32", Some("public/key.wgsl@u32"), 1),
    item("i32", "public/item.wgsl@i32", Some("public/key.wgsl@i32"), 1),
    item("f32", "public/item.wgsl@f32", Some("public/key.wgsl@f32"), 1),
    item("u32x2", "public/item.wgsl@u32x2", None, 2),
    item("u32x3", "public/item.wgsl@u32x3", None, 3),
    item("u32x4", "public/item.wgsl@u32x4", None, 4),
    item("u64", "public/item.wgsl@u32x2", Some("public/key.wgsl@u64"), 2),
    item("i64", "public/item.wgsl@u32x2", Some("public/key.wgsl@i64"), 2),
    item("f64", "public/item.wgsl@u32x2", Some("public/key.wgsl@f64"), 2),
    words("u32x5", 5),
    words("u32x6", 6),
    words("u32x7", 7),
    words("u32x8", 8),
    words("u32x9", 9),
    words("u32x10", 10),
    words("u32x11", 11),
    words("u32x12", 12),
    words("u32x13", 13),
    words("u32x14", 14),
    words("u32x15", 15),
    words("u32x16", 16),
];

/// Of operators that have it, `op_combine` is quicker than what combines anything.
const CHECKED_RANGE: &str = "operator/range.wgsl@f32";

/// How the total of a workgroup is made of its lanes' values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Totals {
    /// By a tree, in order, of any number of lanes.
    InOrder,
    /// Halves meet, of a power of two of lanes.
    Halves,
    /// The same, and quicker if all lanes' values are in a range.
    Quick,
    /// As [`Totals::Halves`], and in subgroups of unknown size a built-in combines.
    Builtin,
}

/// How lanes of a workgroup exchange values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) mechanism: Mechanism,
    pub(super) workgroup_size: u32,
    /// The largest that a subgroup can be.
    pub(super) max_subgroup_size: u32,
    /// Whether all subgroups have that size, as far as is known.
    pub(super) one_subgroup_size: bool,
    pub(super) arithmetic: Arithmetic,
    /// Of the digits that keys are sorted by.
    pub(super) digit_bits: u32,
    /// Whether there is room in workgroup memory for what [`Totals::Quick`] takes.
    pub(super) is_quick: bool,
}

impl Way {
    /// How totals of an operator's values are made.
    pub(super) fn totals(self, spec: &OperatorSpec) -> Totals {
        // Of the library's operators all commute.
        let commutes = spec.operator != OperatorType::Custom || spec.order_free;
        let by_halves =
            self.mechanism == Mechanism::Subgroup && self.workgroup_size.is_power_of_two();
        match spec.combining.subgroup {
            _ if !(by_halves && commutes) => Totals::InOrder,
            None if self.is_quick
                && self.parts(spec).iter().any(|part| part.name == CHECKED_RANGE) =>
            {
                Totals::Quick
            }
            None => Totals::Halves,
            Some(_) => Totals::Builtin,
        }
    }

    /// Whether [`Totals`] that are not in order have a text of their own for subgroups of one size. Its loops are written turn by turn, so it is not
    /// for texts that may be long.
    fn knows_size(self, spec: &OperatorSpec) -> bool {
        let is_short = match self.totals(spec) {
            Totals::Quick | Totals::Builtin => true,
            Totals::Halves => spec.operator != OperatorType::Custom && !spec.computes_floats,
            Totals::InOrder => false,
        };
        self.one_subgroup_size && is_short
    }

    /// An operator in WGSL.
    fn parts(self, spec: &OperatorSpec) -> &'static [Part] {
        let arithmetic = match (spec.computes_floats, spec.element) {
            // In integers, so that no device has to know them.
            (_, ElementType::F64) => Arithmetic::Software,
            (true, _) => self.arithmetic,
            (false, _) => Arithmetic::Hardware,
        };
        spec.combining.parts_by(arithmetic)
    }

    /// What everything else stands on.
    pub(super) fn shared_files(self) -> Vec<&'static str> {
        let mut files = vec![
            "public/place.wgsl",
            "public/memory.wgsl",
            "public/memory.wgsl@fence",
            "public/votes.wgsl@memory",
            "public/memory.wgsl@range",
            "public/memory.wgsl@quick",
            "public/votes.wgsl",
            "public/rank.wgsl",
            "public/rank.wgsl@bits",
            "public/rank.wgsl@match",
            "public/segments.wgsl@segment",
            "public/append.wgsl",
            "public/append.wgsl@memory",
            "public/ticket.wgsl@memory",
            "public/several.wgsl",
            "public/digits.wgsl",
        ];
        files.extend(match self.mechanism {
            Mechanism::Subgroup => [
                "public/place.wgsl@subgroups",
                "public/votes.wgsl@by_subgroups",
                "public/memory.wgsl@shuffle",
                "public/place.wgsl@before_subgroups",
            ],
            Mechanism::WorkgroupMemory => [
                "public/place.wgsl@memory",
                "public/votes.wgsl@by_lanes",
                "public/memory.wgsl@word",
                "public/place.wgsl@before_memory",
            ],
        });
        if self.mechanism == Mechanism::Subgroup {
            files.push(match self.max_subgroup_size {
                0..=32 => "public/votes.wgsl@ballot_32",
                _ => "public/votes.wgsl@ballot_128",
            });
        }
        files
    }

    /// What collectives of values of a type stand on.
    pub(super) fn item_files(self, item: &Item) -> Vec<&'static str> {
        let exchange = match self.mechanism {
            Mechanism::Subgroup => "public/item.wgsl@shuffle",
            Mechanism::WorkgroupMemory => "public/item.wgsl@memory",
        };
        // Floats that a lane keeps are bits.
        let items = match item.name {
            "f32" => "public/item.wgsl@items_bits",
            _ => "public/item.wgsl@items",
        };
        let mut files = vec![item.file, "public/item.wgsl", exchange, items];
        files.extend(["public/shuffle.wgsl", "public/compact.wgsl", "public/exchange.wgsl"]);
        let sort = if item.is_wide_key() {
            "public/sort.wgsl@two_words"
        } else {
            "public/sort.wgsl@words"
        };
        files.extend(item.key.into_iter().flat_map(|key| [key, sort]));
        files
    }

    /// What collectives of an operator stand on, apart from the collectives' own files. `None` if there are no such collectives.
    pub(super) fn operator_files(self, spec: &OperatorSpec) -> Option<Vec<&'static str>> {
        let (value, outcome) = types(spec)?;
        let mut files = spec.element.packing().element_files();
        files.extend(self.parts(spec).iter().map(|part| part.name));
        files.extend([
            value,
            outcome,
            "public/value.wgsl",
            "public/acc.wgsl@memory",
            "public/partials.wgsl",
        ]);
        files.extend(match self.mechanism {
            Mechanism::WorkgroupMemory => &["public/tree.wgsl@memory"][..],
            Mechanism::Subgroup => &["public/tree.wgsl@subgroups", "public/acc.wgsl@shuffle"],
        });
        let (totals, knows_size) = (self.totals(spec), self.knows_size(spec));
        files.push(match totals {
            Totals::Quick => "public/workgroup.wgsl@outcome_quick",
            _ => "public/workgroup.wgsl@outcome",
        });
        files.extend(match totals {
            Totals::InOrder => ["public/workgroup.wgsl@group_any", "public/workgroup.wgsl@any"],
            _ => ["public/workgroup.wgsl@group_whole", "public/workgroup.wgsl@whole"],
        });
        files.extend(knows_size.then_some("public/workgroup_known.wgsl"));
        files.extend(match (totals, knows_size) {
            (Totals::InOrder, _) => None,
            (Totals::Quick, false) => Some("public/workgroup.wgsl@whole_quick"),
            (Totals::Quick, true) => Some("public/workgroup_known.wgsl@quick"),
            (_, true) => Some("public/workgroup_known.wgsl@any"),
            (Totals::Halves, false) => Some("public/workgroup.wgsl@whole_any"),
            (Totals::Builtin, false) => Some("public/workgroup.wgsl@whole_builtin"),
        });
        let builtin = spec.combining.subgroup.filter(|_| totals == Totals::Builtin && !knows_size);
        files.extend(builtin.map(|part| part.name));
        Some(files)
    }
}

/// The files of what a lane passes to an operator's collectives, and of what it gets.
fn types(spec: &OperatorSpec) -> Option<(&'static str, &'static str)> {
    use OperatorType as Op;
    let (value, outcome) = match spec.element {
        ElementType::F32 => ("public/value.wgsl@f32", "public/value.wgsl@outcome_f32"),
        ElementType::I32 => ("public/value.wgsl@i32", "public/value.wgsl@outcome_i32"),
        ElementType::U32 => ("public/value.wgsl@u32", "public/value.wgsl@outcome_u32"),
        ElementType::F64 | ElementType::I64 | ElementType::U64 => {
            ("public/value.wgsl@two_words", "public/value.wgsl@outcome_two_words")
        }
        _ => return None,
    };
    match (spec.operator, spec.element) {
        (Op::MaxAbs, ElementType::I32) => Some((value, "public/value.wgsl@outcome_u32")),
        (Op::Custom, _) => Some((value, "public/value.wgsl@outcome_own")),
        (Op::Count | Op::SumWide | Op::ProductWide, _) => {
            Some((value, "public/value.wgsl@outcome_two_words"))
        }
        (
            Op::Sum
            | Op::Product
            | Op::Min
            | Op::Max
            | Op::MaxAbs
            | Op::BitAnd
            | Op::BitOr
            | Op::BitXor,
            _,
        ) => Some((value, outcome)),
        _ => None,
    }
}
