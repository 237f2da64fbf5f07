//! What kernels bind.

/// The storage bindings of group 0, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Binding {
    /// The input as vectors.
    Vectors = 1,
    /// The input as words.
    Words = 2,
    /// Partials, and the state between launches.
    Scratch = 3,
    /// The output. Of a selection also the count.
    Result = 4,
    /// Where totals meet by atomics.
    Accumulator = 5,
    /// The right of two inputs, a mask, or the offsets of segments, as words.
    RightWords = 6,
    /// What each workgroup of many reductions is told.
    Jobs = 7,
    /// A result for each element: of a scan, or a difference. Of a selection the lengths of runs.
    Output = 8,
}
