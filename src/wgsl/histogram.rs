//! The passes of histograms: what each binds, and which shader files are its own.

use crate::{
    algebra::{
        element::ElementType, keys::key_parts, operator::Arithmetic, operator_type::OperatorType,
    },
    way::Mechanism,
    wgsl::binding::Binding,
};

/// A pass of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HistogramPass {
    /// The first: no bin has any elements.
    Clear,
    /// Counts elements in few bins, whose edges workgroups have in their memory.
    Few,
    /// Counts elements in many bins.
    Many,
    /// Counts floats of a word in bins of nearly equal width, by where they are among them.
    Even,
    /// Counts elements of a byte, by their bytes.
    Bytes,
    /// Writes which bin each element is in.
    Numbers,
}

impl HistogramPass {
    /// The kernel's name, as reports have it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Clear => "clear bins",
            Self::Few => "count in few bins",
            Self::Many => "count in many bins",
            Self::Even => "count in even bins",
            Self::Bytes => "count bytes",
            Self::Numbers => "numbers of bins",
        }
    }

    /// Bins of which a workgroup has edges in its memory, at most: the shader's `LOCAL_EDGES`.
    pub const FEW_BINS: u32 = 1024;

    /// Counts that a workgroup has room for, whether it counts or not: the shader's `LOCAL_COUNTS`.
    pub const fn local_counts(self) -> u32 {
        match self {
            Self::Clear => 0,
            Self::Few => 1536,
            Self::Many | Self::Even | Self::Bytes | Self::Numbers => 4088,
        }
    }

    /// Whether elements are bytes, which the kernel of bytes counts.
    pub(crate) fn is_of_bytes(element: ElementType) -> bool {
        matches!(element, ElementType::I8 | ElementType::U8 | ElementType::Bool)
    }

    /// Whether elements are, once they are loaded, floats of a word.
    pub(crate) fn is_of_floats(element: ElementType) -> bool {
        !element.is_vector() && element.wide() == ElementType::F32
    }

    /// Whether there is such a kernel. Modules are those of counts, whose operator they do not have.
    pub(super) fn exists(
        self,
        operator: OperatorType,
        element: ElementType,
        mechanism: Mechanism,
        arithmetic: Arithmetic,
    ) -> bool {
        let counts = match self {
            Self::Clear => element == ElementType::U32,
            Self::Few | Self::Many => key_files(element).is_some() && !Self::is_of_bytes(element),
            Self::Even => Self::is_of_floats(element),
            Self::Bytes => Self::is_of_bytes(element),
            Self::Numbers => key_files(element).is_some(),
        };
        counts
            && operator == OperatorType::Count
            && mechanism == Mechanism::WorkgroupMemory
            && arithmetic == Arithmetic::Hardware
    }

    pub(super) const fn storage_bindings(self) -> &'static [(Binding, bool)] {
        match self {
            Self::Clear => &[(Binding::Result, false)],
            Self::Few | Self::Many | Self::Even | Self::Bytes | Self::Numbers => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Result, false),
                (Binding::RightWords, true),
            ],
        }
    }

    pub(super) const fn files(self) -> &'static [&'static str] {
        match self {
            Self::Clear => &["histogram/totals.wgsl@clear"],
            Self::Few => &[
                "histogram/count.wgsl",
                "histogram/totals.wgsl",
                "histogram/bins.wgsl@search",
                "histogram/count.wgsl@few",
            ],
            Self::Many => &[
                "histogram/count.wgsl",
                "histogram/totals.wgsl",
                "histogram/bins.wgsl@search",
                "histogram/bins.wgsl@no_edges",
                "histogram/count.wgsl@many",
            ],
            Self::Even => &[
                "histogram/count.wgsl",
                "histogram/totals.wgsl",
                "histogram/bins.wgsl@no_edges",
                "histogram/bins.wgsl@even",
            ],
            Self::Bytes => &[
                "histogram/bytes.wgsl",
                "histogram/totals.wgsl",
                "histogram/bins.wgsl@search",
                "histogram/bins.wgsl@no_edges",
                "histogram/count.wgsl@many",
            ],
            Self::Numbers => &[
                "histogram/bins.wgsl@numbers",
                "histogram/totals.wgsl",
                "histogram/bins.wgsl@search",
                "histogram/bins.wgsl@no_edges",
                "histogram/count.wgsl@many",
            ],
        }
    }
}

/// The shader files that make keys of elements, where there are keys.
pub(super) fn key_files(element: ElementType) -> Option<[&'static str; 2]> {
    let has_keys = !element.is_vector() && element != ElementType::Bits;
    has_keys.then(|| key_parts(element).map(|part| part.name))
}
