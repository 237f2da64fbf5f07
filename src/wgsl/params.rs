//! Parameters of a dispatch. They stand here alone: [`texts`] writes the shader's `struct Params` and `FLAG_*` of them, with the same comments.

mod own;
mod text;

pub(crate) use own::halves;
pub use own::{
    CountParams, DifferenceParams, GroupParams, HistogramParams, Own, ReductionParams, ScanParams,
    SegmentParams, SelectionParams,
};
pub(super) use text::texts;

/// A word of the shader's `Params`, or one of its `FLAG_*`: the name, and the lines that are said of it.
type Named = (&'static str, &'static [&'static str]);

macro_rules! params {
    ($($(#[doc = $doc:literal])* $field:ident,)*) => {
        /// Parameters of a dispatch, or of a workgroup that has a job of its own. All are words, as in the shader: first these, which mean the same to all
        /// kernels, and behind them the primitive's own.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Params {
            $($(#[doc = $doc])* pub $field: u32,)*
            /// The primitive's own.
            pub own: Own,
        }

        /// The words of all kernels.
        const COMMON: &[Named] = &[$((stringify!($field), &[$($doc),*])),*];

        impl Params {
            /// All words, in the shader's order. Behind the last one there are zeros.
            pub fn words(&self) -> [u32; Self::WORDS] {
                let mut words = [0; Self::WORDS];
                let (common, own) = words.split_at_mut(COMMON.len());
                common.copy_from_slice(&[$(self.$field),*]);
                self.own.write(own);
                words
            }
        }
    };
}

params! {
    /// 0, which no compiler can know: see `fence`.
    zero,
    /// The launch takes positions begin .. end. If begin is not 0, the first block goes on where the launch before ended. Passes over segments count chunks,
    /// or segments.
    begin,
    /// The position after its last.
    end,
    /// Positions below this may be loaded four at a time.
    vec_end,
    /// Where position 0 is in the binding (wrapping), in words, or in elements or bytes where these are less.
    base,
    /// The byte of the binding that element 0 of a strided input begins at.
    head_bytes,
    /// Bytes from one element to the next, or 0 where kernels need not know.
    stride_bytes,
    /// The words that an expression is given with each call.
    argument_0,
    /// The second one.
    argument_1,
    /// The third one.
    argument_2,
    /// The fourth one.
    argument_3,
    /// A block has 2^log2_block_items elements, whole rounds. A workgroup takes one.
    log2_block_items,
    /// Blocks of the launch, each a workgroup's.
    blocks,
    /// The workgroup's block.
    block,
    /// FLAG_*.
    flags,
    /// Where in `result` the dispatch begins to write: a word, or a byte where elements are less.
    result_index,
}

impl Params {
    /// Words that all parameters have room for.
    pub const WORDS: usize = 32;
    /// Words of an expression's parameters.
    pub(crate) const ARGUMENTS: usize = 4;

    /// With an expression's parameters.
    pub(crate) fn with_arguments(self, arguments: [u32; Self::ARGUMENTS]) -> Self {
        let [argument_0, argument_1, argument_2, argument_3] = arguments;
        Self { argument_0, argument_1, argument_2, argument_3, ..self }
    }
}

macro_rules! flags {
    ($($(#[doc = $doc:literal])* $flag:ident = $bit:literal,)*) => {
        impl Params {
            $($(#[doc = $doc])* pub const $flag: u32 = 1 << $bit;)*
        }

        /// The flags, each with its bit.
        const FLAGS: &[(Named, u32)] = &[$(((stringify!($flag), &[$($doc),*]), $bit)),*];
    };
}

flags! {
    /// It is the last launch: its result is the result.
    ENDS = 0,
    /// A launch went before: it has left its state.
    RESUMES = 1,
    /// It is the only one, of a power of two of elements, at least 4: their tree is all there is to the order.
    IS_TREE = 2,
    /// A scan's results are of their own elements, too.
    INCLUSIVE = 3,
    /// A scan has an initial value.
    HAS_INITIAL = 4,
    /// A single block is all there is of the launch, which ends with it.
    ALONE = 5,
    /// A selection puts the rest behind the elements that it selects.
    KEEPS_REST = 6,
    /// Its result is the accumulator itself, because the run is a part of a longer sequence.
    STORES_ACC = 7,
    /// Offsets say where segments begin and end.
    HAS_OFFSETS = 8,
    /// Offsets have two words.
    HAS_WIDE_OFFSETS = 9,
    /// Offsets say where segments begin, and each ends where the next one begins, the last one with the elements.
    HAS_BEGINS = 10,
    /// The elements of segments have an order, which is not their order in memory.
    HAS_ORDER = 11,
    /// A chunk of chunks is sixteen in a row, and only its total is left; by offsets, its chunks leave only its total.
    JOINS_CHUNKS = 12,
    /// Workgroups of a single pass of a scan or a selection take the blocks in the order in which they begin.
    DRAWS_BLOCKS = 13,
    /// Segments lie along axes that are apart: there is a table of the axes.
    HAS_AXES = 14,
    /// The dispatch has the results of some segments, as the window says that it reads.
    IN_WINDOW = 15,
    /// The first pass over chunks says how long segments are, and passes after it read that.
    HAS_LENGTHS = 16,
    /// A selection writes positions and lengths of one word.
    HAS_SHORT_NUMBERS = 17,
}
