//! What kernels bind, and what they write there.

/// The storage bindings of group 0, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Binding {
    /// The input as vectors.
    Vectors = 1,
    /// The input as words.
    Words = 2,
    /// Partials, the state between launches, and a table of jobs. Of a selection in a single pass the count. Of groups counts, or places that a scan made of them.
    Scratch = 3,
    /// The output. Of a selection also the count. Of groups the elements, moved.
    Result = 4,
    /// Where totals meet by atomics, or what workgroups of a single pass of a scan or a selection tell each other.
    Accumulator = 5,
    /// The right of two inputs, a mask, the offsets of segments or a table of their axes, the elements or the numbers of groups, or the edges of bins, as words.
    RightWords = 6,
    /// A result for each element: of a scan, or a difference. Of a selection the lengths of runs.
    Output = 8,
    /// The third of three inputs of an expression, as words.
    ThirdWords = 9,
}

/// What a reduction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stored {
    /// The result.
    Value,
    /// The accumulator that it is made of. Of an exact reduction: limbs, flags and the number of elements.
    Accumulator,
}
