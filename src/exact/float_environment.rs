//! Whether float arithmetic can be relied on.

/// Whether this thread's floats are IEEE-754's by default: rounded to the nearest, ties to even, with subnormals.
#[inline]
pub(crate) fn is_default() -> bool {
    // The compiler can't tell what is in there, so it has to add: four at a time, where it can.
    let [a, b, sums] = std::hint::black_box(&ADDITIONS);
    (0..4).fold(0, |difference, i| {
        difference | ((f32::from_bits(a[i]) + f32::from_bits(b[i])).to_bits() ^ sums[i])
    }) == 0
}

/// Bits of operands, and of their sums:
///
/// * 1.5 · 2^-126 − 2^-126, a subnormal result;
/// * 2^-149 + 2^-126, a subnormal operand;
/// * 1 + 2^-24, a tie, down to even;
/// * 1 + 2^-23 + 2^-24, a tie, up to even.
static ADDITIONS: [[u32; 4]; 3] = [
    [0x00c0_0000, 0x0000_0001, 0x3f80_0000, 0x3f80_0001],
    [0x8080_0000, 0x0080_0000, 0x3380_0000, 0x3380_0000],
    [0x0040_0000, 0x0080_0001, 0x3f80_0000, 0x3f80_0002],
];
