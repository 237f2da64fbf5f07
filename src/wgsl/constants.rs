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
    /// Those of a kernel that loads vectors: `SHIFT`, or [`Constants::ANY_SHIFT`].
    Shift(u32),
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
        /// The remainder mod 4 of the elements' places in the binding, in words; of narrow elements 0, or 4 for any other place.
        shift: u32,
        /// Whether some elements are not in whole rounds that can be loaded four at a time.
        edges: bool,
    },
}

impl Constants {
    /// For kernels that see where vectors begin while they load: one pipeline for inputs of any alignment but the best, of
    /// elements of one word. The shader's `ANY_SHIFT`.
    pub const ANY_SHIFT: Self = Self::Shift(Self::ANY_PLACE);
    pub(crate) const ANY_PLACE: u32 = 4;
    /// For elements that do not follow one another. The shader's `STRIDED`.
    pub const STRIDED: Self = Self::Shift(Self::STRIDED_PLACE);
    pub(crate) const STRIDED_PLACE: u32 = 5;

    /// Those of a kernel that reads blocks of elements, from words on with the remainder `shift` mod 4.
    ///
    /// Inputs of a single block are short, and jobs of any alignment share a dispatch: one pipeline will do for those that do not
    /// begin with a vector. (For those that do it would be too slow: on an NVIDIA H200 sums of 2^10 elements took 6.7 µs by it,
    /// and by their own 6.3.) Elements of two words are told by `SHIFT` whether they begin at an odd one.
    pub(crate) const fn of_blocks(kernel: Kernel, element: ElementType, shift: u32) -> Self {
        let sees = matches!(
            kernel,
            Kernel::ReduceToResult
                | Kernel::ReduceJobsToPartials
                | Kernel::ReduceJobsToResults
                | Kernel::ScanRounds
                | Kernel::ScanSinglePass
                | Kernel::ScanRows
        );
        let is_two_words = matches!(element.packing(), Packing::TwoWords);
        // A scan by rows has so many steps that what loads elements is nothing next to them. Of two words it is told of odd places alone.
        let by_rows = matches!(kernel, Kernel::ScanRows);
        let is_told = match is_two_words {
            true => !by_rows || shift % 2 == 1,
            false => !sees || (shift == 0 && !by_rows),
        };
        if is_told || shift == Self::STRIDED_PLACE { Self::Shift(shift) } else { Self::ANY_SHIFT }
    }

    /// Whether scans go by rounds from such elements. Others go by rows: they are rare, and each is a pipeline less.
    pub(crate) const fn scans_by_rounds(element: ElementType, shift: u32) -> bool {
        let is_two_words = matches!(element.packing(), Packing::TwoWords);
        shift != Self::STRIDED_PLACE && !(is_two_words && shift % 2 == 1)
    }

    /// Those of a scan's last pass, from words on with the remainder `shift` mod 4.
    pub(crate) const fn of_scan(
        kernel: Kernel,
        element: ElementType,
        shift: u32,
        in_place: bool,
    ) -> Self {
        match Self::of_blocks(kernel, element, shift) {
            Self::Shift(shift) => Self::Scan { shift, in_place },
            other => other,
        }
    }

    /// Those of segments. Where all begin with a vector they are told so, if elements have whole words. Others begin anywhere: only of
    /// elements of two words it is told whether they begin at an odd one. Those with gaps between them are told by [`Constants::STRIDED`].
    pub(crate) const fn of_segments(
        element: ElementType,
        first_word: u32,
        with_vectors: bool,
    ) -> Self {
        let is_two_words = matches!(element.packing(), Packing::TwoWords);
        match is_two_words && first_word % 2 == 1 {
            true => Self::Shift(1),
            false if with_vectors && !element.packing().has_any_place() => Self::Shift(0),
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

    /// Those of a histogram. Elements of two words at an odd one are told so, and loaded one by one.
    pub(crate) const fn of_histogram(element: ElementType, shift: u32) -> Self {
        match shift {
            0 | Self::STRIDED_PLACE => Self::Shift(shift),
            1 | 3 if matches!(element.packing(), Packing::TwoWords) => Self::Shift(1),
            _ => Self::ANY_SHIFT,
        }
    }

    /// Those of the kernel that does for many reductions what one does with these.
    pub(crate) const fn of_jobs(self, kernel: Kernel, element: ElementType) -> Self {
        match self {
            Self::Shift(shift) => Self::of_blocks(kernel, element, shift),
            constants => constants,
        }
    }

    /// Every combination that a shader can be given.
    pub fn all(kernel: Kernel, element: ElementType) -> Vec<Self> {
        // In a single pass selections have the same.
        let kernel = kernel.of_three_passes();
        let shifts: &[u32] = match element.packing().has_any_place() {
            true => &[0, Self::ANY_PLACE, Self::STRIDED_PLACE],
            false => &[0, 1, 2, 3, Self::STRIDED_PLACE],
        };
        // Jobs of one dispatch have no strides of their own.
        let shifts = match kernel {
            Kernel::ReduceJobsToPartials | Kernel::ReduceJobsToResults => {
                &shifts[..shifts.len() - 1]
            }
            _ => shifts,
        };
        match kernel {
            Kernel::ExactReduce => {
                let constants =
                    |&shift: &u32| [false, true].map(|edges| Self::Exact { shift, edges });
                shifts.iter().flat_map(constants).collect()
            }
            Kernel::ScanRounds | Kernel::ScanRows | Kernel::ScanSinglePass => {
                let fits =
                    |shift| kernel == Kernel::ScanRows || Self::scans_by_rounds(element, shift);
                let shifts = shifts.iter().copied().filter(|&shift| fits(shift));
                let apart = shifts.map(|shift| Self::of_scan(kernel, element, shift, false));
                // Where the output begins.
                let places: &[u32] = match (kernel, element.words()) {
                    (Kernel::ScanRows, 2) => &[0, 1, 2, 3],
                    _ => &[0],
                };
                // A single pass would write over what others still read.
                let is_apart = kernel == Kernel::ScanSinglePass || element.packing().is_narrow();
                let places = if is_apart { &[] } else { places };
                let in_place =
                    places.iter().map(|&shift| Self::of_scan(kernel, element, shift, true));
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
                let with_vectors = [false, true].into_iter();
                let first_words = [0, 1].into_iter();
                let mut all: Vec<_> = with_vectors
                    .filter(|&with_vectors| !with_vectors || kernel.makes_chunks())
                    .flat_map(|with_vectors| {
                        first_words
                            .clone()
                            .map(move |word| Self::of_segments(element, word, with_vectors))
                    })
                    .chain([Self::STRIDED])
                    .collect();
                if kernel != Kernel::GroupTotals {
                    let together: Vec<_> =
                        all.iter().map(|constants| constants.together()).collect();
                    all.extend(together);
                }
                if kernel.makes_chunks() {
                    let rows: Vec<_> = all.iter().map(|constants| constants.of_rows()).collect();
                    // Between offsets segments begin anywhere, and their elements do not lie apart.
                    all.retain(|own| match own {
                        Self::Together(shift) => *shift != 0,
                        own => *own == Self::STRIDED,
                    });
                    all.extend(rows);
                }
                all.sort_by_key(|constants| constants.to_string());
                all.dedup();
                all
            }
            Kernel::Histogram { .. } if kernel.reads() => {
                let mut all: Vec<_> =
                    shifts.iter().map(|&shift| Self::of_histogram(element, shift)).collect();
                all.sort_by_key(|constants| constants.to_string());
                all.dedup();
                all
            }
            _ if kernel.reads_vectors() => {
                let mut all: Vec<_> =
                    shifts.iter().map(|&shift| Self::of_blocks(kernel, element, shift)).collect();
                all.dedup();
                all
            }
            _ if kernel.reads_pairs() => vec![Self::None, Self::STRIDED],
            _ => vec![Self::None],
        }
    }

    /// The constants' names in the shader, and their values.
    pub fn values(self) -> Vec<(&'static str, f64)> {
        match self {
            Self::None => Vec::new(),
            Self::Shift(shift) => vec![("SHIFT", shift.into())],
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
