//! The parameters that are a primitive's own, and mean something to its kernels alone.

use super::Named;

macro_rules! own {
    ($($(#[doc = $about:literal])* $get:ident: $own:ident($words:ident) {
        $($(#[doc = $doc:literal])* $field:ident,)*
    })*) => {
        /// Whose parameters they are.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum Own {
            /// There are none beside the common ones.
            #[default]
            None,
            $($(#[doc = $about])* $own($words),)*
        }

        $($(#[doc = $about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $words { $($(#[doc = $doc])* pub $field: u32,)* }

        impl From<$words> for Own {
            fn from(words: $words) -> Self {
                Self::$own(words)
            }
        })*

        impl Own {
            /// All primitives: the section of params.wgsl, its comment, and the words.
            pub(super) const ALL: &[(&str, &[&str], &[Named])] = &[
                $((
                    concat!("params.wgsl@", stringify!($get)),
                    &[$($about),*],
                    &[$((stringify!($field), &[$($doc),*])),*],
                ),)*
            ];

            /// Writes the words to the begin of `to`.
            pub(super) fn write(self, to: &mut [u32]) {
                match self {
                    Self::None => {}
                    $(Self::$own($words { $($field),* }) => {
                        let own = [$($field),*];
                        to[..own.len()].copy_from_slice(&own);
                    })*
                }
            }

            $(
                /// These, of dispatches that have them.
                ///
                /// # Panics
                ///
                /// If they are another primitive's.
                pub fn $get(self) -> $words {
                    match self {
                        Self::$own(words) => words,
                        other => panic!("these are others: {other:?}"),
                    }
                }
            )*
        }
    };
}

impl ReductionParams {
    /// The launch's first block, counted from the beginning of the sequence.
    pub fn first_block(self) -> u64 {
        (u64::from(self.span) << self.log2_span) + u64::from(self.first_node)
    }

    /// With so many elements of the whole sequence.
    pub(crate) fn with_len(self, len: u64) -> Self {
        let [len_low, len_high] = halves(len);
        Self { len_low, len_high, ..self }
    }
}

/// The lower half of a number, and the upper one.
#[expect(clippy::cast_possible_truncation, reason = "these are its halves")]
pub(crate) fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

own! {
    /// Parameters of a reduction.
    reduction: Reduction(ReductionParams) {
        /// The bits of the launch's first word that are the input's, where elements are words of bits.
        first_bits,
        /// The same of its last word.
        last_bits,
        /// As `base`, of the right of two inputs or more.
        right_base,
        /// As `head_bytes`, of the right input.
        right_head_bytes,
        /// As `stride_bytes`, of the right input.
        right_stride_bytes,
        /// Where position 0 of the third input is in its binding (wrapping), as `base` says it, or the byte if inputs are strided.
        third_base,
        /// As `stride_bytes`, of the third input.
        third_stride_bytes,
        /// The launch's first block, counted from a multiple of 2^log2_span blocks, in which the launch is.
        first_node,
        /// Which multiple.
        span,
        /// A span is 2^log2_span blocks.
        log2_span,
        /// Where the partials begin in `scratch`, in accumulators.
        partials,
        /// Where the state is in `scratch` that the launch before has left, in accumulators.
        state_before,
        /// Where this launch leaves its own.
        state_after,
        /// Elements of the whole sequence: the lower half.
        len_low,
        /// The upper half.
        len_high,
        /// The word of `scratch` that a table of jobs begins at.
        jobs,
    }
    /// Parameters of a scan. Its first pass is a reduction's.
    scan: Scan(ScanParams) {
        /// The bits of the launch's first word that are the input's, where elements are words of bits.
        first_bits,
        /// The same of its last word.
        last_bits,
        /// The word of the output's binding that the result of position 0 begins at (wrapping).
        output_base,
        /// The launch's first block, counted from the beginning of the sequence.
        first_block,
        /// Where the totals of blocks begin in `scratch`, in accumulators. Behind them are the totals before each block.
        partials,
        /// Where the state is in `scratch` that the launch before has left, in accumulators.
        state_before,
        /// Where this launch leaves its own.
        state_after,
        /// The first word of the value before all elements, if there is one, or of the accumulator that the host has made of it.
        initial_0,
        /// The second one.
        initial_1,
        /// The third one.
        initial_2,
        /// The fourth one.
        initial_3,
    }
    /// Parameters of a selection.
    selection: Selection(SelectionParams) {
        /// Words of an element of several components.
        item_words,
        /// Where the mask's first flag is in its binding, in words, bytes or bits.
        mask_begin,
        /// Bytes from one flag of words or bytes to the next.
        mask_stride_bytes,
        /// The position of the launch's first element in the whole sequence: the lower half.
        position_low,
        /// The upper half.
        position_high,
        /// The entry of the first block's total.
        entries_of_blocks,
        /// The entry of the total before the first block.
        entries_before,
        /// The entry of the total of all.
        entry_of_all,
        /// The entry of the last element before the launch.
        last_item_before,
        /// The entry of the launch's last element.
        last_item,
        /// The word that the number of all that is flagged goes to.
        count_word,
        /// The first item of the output's binding, counted from the beginning of the output: the lower half.
        first_output_low,
        /// The upper half.
        first_output_high,
        /// Items that the output's binding has room for.
        output_items,
        /// The word of its binding that the first length of a run, or where the first one begins, goes to.
        lengths_begin,
    }
    /// Parameters of segments.
    segments: Segments(SegmentParams) {
        /// How many there are.
        segments,
        /// An item of the level is the total of 2^level elements.
        level,
        /// Where the items of the level begin in `scratch`, in accumulators.
        totals,
        /// Where the items of the next level begin, which a pass over chunks leaves.
        next_totals,
        /// Elements of each segment, where there are no offsets.
        segment_items,
        /// Elements of the sequence from one of a segment's to the next, where there are no offsets. So many segments lie within each other.
        segment_step,
        /// Elements of all segments.
        elements,
        /// The byte of its binding that the first offset begins at.
        offsets_head_bytes,
        /// Bytes from one offset to the next.
        offsets_stride_bytes,
        /// The word of the offsets' binding that the order of elements begins at.
        order_begin,
        /// Axes that remain, in a table of axes.
        kept_axes,
        /// All axes of the table.
        all_axes,
        /// Where elements take several bindings, the first position whose segments' results this dispatch has.
        window_begin,
        /// How many such positions there are.
        window_items,
        /// The word of `scratch` from which on passes over chunks hand on how long segments are.
        lengths_begin,
        /// Such a word is of 2^log2_length_chunks chunks.
        log2_length_chunks,
    }
    /// Parameters of groups, whose numbers say which elements they have.
    groups: Groups(GroupParams) {
        /// How many there are.
        groups,
        /// The byte of its binding that the first number begins at.
        numbers_head_bytes,
        /// Bytes from one number to the next.
        numbers_stride_bytes,
        /// The launch's first block, counted from the beginning of the elements.
        first_block,
        /// Blocks of all launches.
        all_blocks,
        /// Words that an element takes where it is moved to.
        item_words,
        /// A workgroup has 2^log2_copies accumulators for each group.
        log2_copies,
        /// Where in `scratch` the totals of the launch's first block begin, in accumulators.
        totals,
    }
    /// Parameters of differences of neighbours.
    differences: Differences(DifferenceParams) {
        /// The word of the output's binding that the first difference begins at.
        output_base,
        /// The launch's first entry of the last elements of blocks.
        first_entry,
    }
    /// Parameters of a histogram.
    histogram: Histogram(HistogramParams) {
        /// Bins that have edges here.
        bins,
        /// The largest power of two below that number, or 0.
        search_step,
        /// The first bin that has counts in workgroup memory.
        first_local_bin,
        /// Bins that have.
        local_bins,
        /// Each has 2^log2_copies counts there.
        log2_copies,
        /// Words of a total.
        count_words,
        /// The bits of the factor that makes places of floats, where bins are even.
        scale,
        /// The bits of the number that is added to that.
        offset,
        /// The bits of the sum at place 0.
        first_place,
        /// A place that is at most so far above the begin of a bin may be on the other side of it.
        near_places,
        /// A bin has 2^log2_bin_places places.
        log2_bin_places,
    }
    /// Parameters of the kernel that makes the parameters of other dispatches, where a word in memory says how many elements there are.
    count: Count(CountParams) {
        /// How many dispatches there are.
        dispatches,
        /// The first word of the number.
        count_word,
        /// Bytes of the number.
        count_bytes,
        /// The most elements that there can be: the lower half.
        most_low,
        /// The upper half.
        most_high,
    }
}
