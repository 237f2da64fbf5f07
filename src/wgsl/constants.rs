//! The values of kernels' pipeline constants.

use crate::{
    algebra::element::{ElementType, Packing},
    plural::count,
    wgsl::kernel::Kernel,
};
use std::fmt;

/// The values of a kernel's pipeline constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Constants {
    /// The kernel has none.
    None,
    /// Those of a kernel that loads vectors: `SHIFT`. 0 stands for elements that begin with one.
    Shift(u32),
    /// Those of many reductions in one dispatch: `HAS_JOBS`, and `SHIFT` if the kernel loads vectors.
    Jobs {
        /// As [`Constants::Shift`].
        shift: Option<u32>,
    },
    /// Those of segments whose elements follow one another: `SHIFT`, and that they are not `APART`.
    Together(u32),
    /// Those of chunks of segments that are as long as each other: that there are no offsets, `SHIFT` and `APART`.
    Rows {
        /// As [`Constants::Shift`].
        shift: u32,
        /// Whether elements of a segment may lie apart.
        apart: bool,
    },
    /// Those of a scan's last pass: `SHIFT` and `IN_PLACE`.
    Scan {
        /// As [`Constants::Shift`].
        shift: u32,
        /// Whether the results take the elements' places.
        in_place: bool,
    },
    /// Those of a selection: `FLAG_BYTES` where there is a mask, and `ITEM_WORDS` where there are elements of a word or two, or positions.
    Selection {
        /// Bytes of a flag. 0 stands for bits.
        flag_bytes: Option<u32>,
        /// Words of an element. 0 stands for positions.
        item_words: Option<u32>,
    },
    /// Those of a selection of elements of less than a word: `FLAG_BYTES` where there is a mask, `ITEM_BYTES`, and `ITEM_WORDS` where their
    /// positions are written.
    NarrowSelection {
        /// As of [`Constants::Selection`].
        flag_bytes: Option<u32>,
        /// Bytes of an element.
        item_bytes: u32,
        /// Whether positions are written.
        are_positions: bool,
    },
    /// Those of differences: `IN_PLACE`.
    Difference {
        /// Whether they take the elements' places.
        in_place: bool,
    },
    /// Those of an exact first pass: `SHIFT` and `EDGES`.
    Exact {
        /// As [`Constants::Shift`].
        shift: u32,
        /// Whether some elements are not in whole rounds that can be loaded four at a time.
        edges: bool,
    },
}

impl Constants {
    /// For elements that lie anywhere. The shader's `ANY_SHIFT`.
    pub const ANY_SHIFT: Self = Self::Shift(Self::ANY_PLACE);
    pub(crate) const ANY_PLACE: u32 = 4;
    /// For elements of two words that begin in the middle of a vector.
    pub(crate) const MIDDLE_PLACE: u32 = 2;
    /// For elements that do not follow one another: narrow ones, and those of several inputs. The shader's `STRIDED`.
    pub const STRIDED: Self = Self::Shift(Self::STRIDED_PLACE);
    pub(crate) const STRIDED_PLACE: u32 = 5;

    /// Those of a kernel that reads blocks of elements, which begin at such a place.
    ///
    /// A scan by rows has so many steps that its loads take no time next to them: one pipeline is for aligned elements, too. Doubles that begin in the middle
    /// of a vector have a pipeline of their own where loads are all that takes time: on an NVIDIA H200 sums of 2^28 bytes take 82 µs by it, and 95 word by word.
    pub(crate) const fn of_blocks(kernel: Kernel, shift: u32) -> Self {
        match (kernel, shift) {
            (Kernel::ScanRows, 0 | Self::MIDDLE_PLACE) => Self::ANY_SHIFT,
            (Kernel::Histogram { .. }, Self::MIDDLE_PLACE) => Self::ANY_SHIFT,
            _ => Self::Shift(shift),
        }
    }

    /// The same of many reductions in one dispatch, which have no strides of their own.
    pub(crate) const fn of_jobs(self) -> Option<Self> {
        match self {
            Self::None => Some(Self::Jobs { shift: None }),
            Self::Shift(shift) if shift != Self::STRIDED_PLACE => {
                Some(Self::Jobs { shift: Some(shift) })
            }
            _ => None,
        }
    }

    /// Those of a scan's last pass.
    pub(crate) const fn of_scan(kernel: Kernel, shift: u32, in_place: bool) -> Self {
        match Self::of_blocks(kernel, shift) {
            Self::Shift(shift) => Self::Scan { shift, in_place },
            other => other,
        }
    }

    /// The constants of an exact first pass. Doubles in the middle of a vector share the pipeline of elements that lie anywhere.
    pub(crate) const fn of_exact(shift: u32, edges: bool) -> Self {
        let shift = if shift == Self::MIDDLE_PLACE { Self::ANY_PLACE } else { shift };
        Self::Exact { shift, edges }
    }

    /// Those of segments. Where all begin with a vector, a constant says so, if elements have whole words.
    pub(crate) const fn of_segments(element: ElementType, with_vectors: bool) -> Self {
        match with_vectors && matches!(element.packing(), Packing::Word | Packing::TwoWords) {
            true => Self::Shift(0),
            false => Self::ANY_SHIFT,
        }
    }

    /// The same of segments whose elements follow one another.
    pub(crate) const fn together(self) -> Self {
        match self {
            Self::Shift(shift) if shift != Self::STRIDED_PLACE => Self::Together(shift),
            other => other,
        }
    }

    /// The same of a kernel that makes chunks, of segments that are as long as each other.
    pub(crate) const fn of_rows(self) -> Self {
        match self {
            Self::Shift(shift) => Self::Rows { shift, apart: true },
            Self::Together(shift) => Self::Rows { shift, apart: false },
            other => other,
        }
    }

    /// Every combination that a shader can be given.
    pub fn all(kernel: Kernel, element: ElementType) -> Vec<Self> {
        // In a single pass selections have the same.
        let kernel = kernel.of_three_passes();
        let shifts: &[u32] = match element.packing() {
            Packing::TwoWords => &[0, Self::MIDDLE_PLACE, Self::ANY_PLACE],
            // Scans with strides go by rows.
            Packing::Bytes | Packing::Halves
                if !matches!(kernel, Kernel::ScanRounds | Kernel::ScanSinglePass) =>
            {
                &[0, Self::ANY_PLACE, Self::STRIDED_PLACE]
            }
            _ => &[0, Self::ANY_PLACE],
        };
        match kernel {
            Kernel::ExactReduce => {
                let mut all: Vec<_> = [false, true]
                    .into_iter()
                    .flat_map(|edges| shifts.iter().map(move |&shift| Self::of_exact(shift, edges)))
                    .collect();
                all.dedup();
                all
            }
            Kernel::ScanRounds | Kernel::ScanRows | Kernel::ScanSinglePass => {
                let apart = shifts.iter().map(|&shift| Self::of_scan(kernel, shift, false));
                // A single pass would write over what others still read.
                let is_apart = kernel == Kernel::ScanSinglePass || element.packing().is_narrow();
                let in_place = (!is_apart).then(|| Self::of_scan(kernel, 0, true));
                let mut all = Vec::new();
                for constants in apart.chain(in_place) {
                    if !all.contains(&constants) {
                        all.push(constants);
                    }
                }
                all
            }
            _ if kernel.copies_items() && element.packing().is_narrow() => {
                let flag_bytes: &[Option<u32>] = match kernel {
                    Kernel::SelectFlagged => &[Some(4), Some(1), Some(0)],
                    _ => &[None],
                };
                let all = flag_bytes.iter().flat_map(|&flag_bytes| {
                    [1, 2].map(|item_bytes| Self::NarrowSelection {
                        flag_bytes,
                        item_bytes,
                        are_positions: false,
                    })
                });
                all.collect()
            }
            _ if kernel.is_by_predicate() && element.packing().is_narrow() => {
                let item_bytes = if element.packing() == Packing::Bytes { 1 } else { 2 };
                let kinds: &[bool] = if kernel.scatters() { &[false, true] } else { &[false] };
                let all = kinds.iter().map(|&are_positions| Self::NarrowSelection {
                    flag_bytes: None,
                    item_bytes,
                    are_positions,
                });
                all.collect()
            }
            _ if kernel.copies_items() && element.is_vector() => {
                let flag_bytes: &[Option<u32>] = match kernel {
                    Kernel::SelectFlagged => &[Some(4), Some(1), Some(0)],
                    _ => &[None],
                };
                let all = flag_bytes
                    .iter()
                    .map(|&flag_bytes| Self::Selection { flag_bytes, item_words: None });
                all.collect()
            }
            Kernel::SelectWhere if element.is_vector() => [None, Some(0)]
                .map(|item_words| Self::Selection { flag_bytes: None, item_words })
                .to_vec(),
            Kernel::CountFlagged | Kernel::SelectFlagged => {
                let item_words: &[Option<u32>] = match kernel {
                    Kernel::CountFlagged => &[None],
                    _ => &[Some(0), Some(1), Some(2)],
                };
                let flag_bytes = [4, 1, 0].map(Some);
                let all = flag_bytes.into_iter().flat_map(|flag_bytes| {
                    item_words
                        .iter()
                        .map(move |&item_words| Self::Selection { flag_bytes, item_words })
                });
                all.collect()
            }
            Kernel::CountWhere => vec![Self::Selection { flag_bytes: None, item_words: None }],
            Kernel::SelectWhere => [0, 1]
                .map(|words| Self::Selection { flag_bytes: None, item_words: Some(words) })
                .to_vec(),
            Kernel::CountHeads
            | Kernel::SelectHeads
            | Kernel::SelectRuns
            | Kernel::SelectBegins => [1, 2]
                .map(|words| Self::Selection { flag_bytes: None, item_words: Some(words) })
                .to_vec(),
            Kernel::Differences => {
                [false, true].map(|in_place| Self::Difference { in_place }).to_vec()
            }
            _ if kernel.is_of_segments() => {
                let with_vectors = kernel.makes_chunks().then_some(true);
                let mut all: Vec<_> = [false]
                    .into_iter()
                    .chain(with_vectors)
                    .map(|with_vectors| Self::of_segments(element, with_vectors))
                    .chain(element.packing().is_narrow().then_some(Self::STRIDED))
                    .collect();
                if kernel != Kernel::GroupTotals {
                    let together: Vec<_> =
                        all.iter().map(|constants| constants.together()).collect();
                    all.extend(together);
                }
                if kernel.makes_chunks() {
                    let rows: Vec<_> = all.iter().map(|constants| constants.of_rows()).collect();
                    // Between offsets segments begin anywhere.
                    all.retain(|own| !matches!(own, Self::Together(0) | Self::Shift(0)));
                    all.extend(rows);
                }
                all.sort_by_key(|constants| constants.to_string());
                all.dedup();
                all
            }
            _ if kernel.reads_vectors()
                || matches!(kernel, Kernel::Histogram { .. } if kernel.reads()) =>
            {
                let mut all: Vec<_> =
                    shifts.iter().map(|&shift| Self::of_blocks(kernel, shift)).collect();
                all.dedup();
                if kernel == Kernel::Reduce && element.has_jobs() {
                    let jobs: Vec<_> = all.iter().filter_map(|alone| alone.of_jobs()).collect();
                    all.extend(jobs);
                }
                all
            }
            Kernel::Fold if element.has_jobs() => vec![Self::None, Self::Jobs { shift: None }],
            _ if kernel.reads_pairs() => vec![Self::None, Self::STRIDED],
            _ => vec![Self::None],
        }
    }

    /// The constants' names in the shader, and their values.
    pub fn values(self) -> Vec<(&'static str, f64)> {
        match self {
            Self::None => Vec::new(),
            Self::Shift(shift) => vec![("SHIFT", shift.into())],
            Self::Jobs { shift } => {
                let shift = shift.map(|shift| ("SHIFT", shift.into()));
                shift.into_iter().chain([("HAS_JOBS", 1.0)]).collect()
            }
            Self::Together(shift) => vec![("SHIFT", shift.into()), ("APART", 0.0)],
            Self::Rows { shift, apart } => vec![
                ("SHIFT", shift.into()),
                ("APART", u8::from(apart).into()),
                ("BY_OFFSETS", 0.0),
            ],
            Self::Scan { shift, in_place } => {
                vec![("SHIFT", shift.into()), ("IN_PLACE", u8::from(in_place).into())]
            }
            Self::Selection { flag_bytes, item_words } => {
                let flag_bytes = flag_bytes.map(|bytes| ("FLAG_BYTES", bytes.into()));
                flag_bytes
                    .into_iter()
                    .chain(item_words.map(|words| ("ITEM_WORDS", words.into())))
                    .collect()
            }
            Self::NarrowSelection { flag_bytes, item_bytes, are_positions } => {
                let flag_bytes = flag_bytes.map(|bytes| ("FLAG_BYTES", bytes.into()));
                let no_words = are_positions.then_some(("ITEM_WORDS", 0.0));
                let item_bytes = [("ITEM_BYTES", item_bytes.into())];
                flag_bytes.into_iter().chain(item_bytes).chain(no_words).collect()
            }
            Self::Difference { in_place } => vec![("IN_PLACE", u8::from(in_place).into())],
            Self::Exact { shift, edges } => {
                vec![("SHIFT", shift.into()), ("EDGES", u8::from(edges).into())]
            }
        }
    }
}

/// What flags a selection has, if any.
const fn mask_of(flag_bytes: Option<u32>) -> &'static str {
    match flag_bytes {
        None => "",
        Some(0) => ", mask of bits",
        Some(1) => ", mask of bytes",
        Some(_) => ", mask of words",
    }
}

impl fmt::Display for Constants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::None => Ok(()),
            Self::ANY_SHIFT => f.write_str(", any shift"),
            Self::STRIDED => f.write_str(", strided"),
            Self::Shift(shift) => write!(f, ", shift {shift}"),
            Self::Jobs { shift: None } => f.write_str(", jobs"),
            Self::Jobs { shift: Some(shift) } => write!(f, "{}, jobs", Self::Shift(shift)),
            Self::Together(shift) => write!(f, "{}, together", Self::Shift(shift)),
            Self::Rows { shift, apart: true } => write!(f, "{}, rows", Self::Shift(shift)),
            Self::Rows { shift, apart: false } => write!(f, "{}, rows", Self::Together(shift)),
            Self::Scan { shift, in_place: true } => write!(f, ", shift {shift}, in place"),
            Self::Scan { shift, in_place: false } => Self::Shift(shift).fmt(f),
            Self::NarrowSelection { flag_bytes, item_bytes, are_positions } => {
                f.write_str(mask_of(flag_bytes))?;
                f.write_str(if are_positions { ", positions of" } else { "," })?;
                write!(f, " elements of {}", count(item_bytes.into(), "byte"))
            }
            Self::Selection { flag_bytes, item_words } => {
                f.write_str(mask_of(flag_bytes))?;
                match item_words {
                    None => Ok(()),
                    Some(0) => f.write_str(", positions"),
                    Some(words) => write!(f, ", elements of {}", count(words.into(), "word")),
                }
            }
            Self::Difference { in_place: true } => f.write_str(", in place"),
            Self::Difference { in_place: false } => Ok(()),
            Self::Exact { shift, edges } => {
                write!(f, ", shift {shift}{}", if edges { ", edges" } else { "" })
            }
        }
    }
}
