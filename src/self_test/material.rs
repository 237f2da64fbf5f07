//! What a self-test reduces: elements without a pattern, always the same.

/// 32 bits without a pattern, of a number.
pub(super) fn mix(number: u32) -> u32 {
    let bits = number.wrapping_mul(0x9e37_79b1);
    let bits = (bits ^ (bits >> 15)).wrapping_mul(0x85eb_ca6b);
    let bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
    bits ^ (bits >> 16)
}

/// `len` words that `make` makes of 32 bits each.
pub(super) fn words(len: usize, seed: u32, make: Make) -> Vec<u32> {
    let start = mix(seed);
    (0..).take(len).map(|i: u32| make(mix(start.wrapping_add(i)))).collect()
}

pub(super) const SIGN: u32 = 0x8000_0000;
pub(super) const FRACTION: u32 = 0x007f_ffff;

/// The float 2^(field - 127), or 0.
pub(super) const fn power(field: u32) -> u32 {
    field << 23
}

/// A sign, an exponent field from `low` on, and a fraction.
fn with_exponent(bits: u32, low: u32, exponents: u32) -> u32 {
    (bits & (SIGN | FRACTION)) | ((low + (bits >> 23 & 0xff) % exponents) << 23)
}

/// Floats that no sum or product here leaves the range of normal numbers of.
pub(super) fn ordinary(bits: u32) -> u32 {
    with_exponent(bits, 107, 32)
}

/// Floats of hardly different sizes.
pub(super) fn near_one(bits: u32) -> u32 {
    with_exponent(bits, 126, 2)
}

/// Makes a word of 32 random bits.
pub(super) type Make = fn(u32) -> u32;

/// Floats of each kind that arithmetic treats in its own way.
pub(super) const FLOATS: [(&str, Make); 13] = [
    ("random bits", |bits| bits),
    ("finite floats", |bits| with_exponent(bits, 0, 255)),
    ("subnormal floats", |bits| bits & (SIGN | FRACTION)),
    ("subnormal and barely normal floats", |bits| with_exponent(bits, 0, 3)),
    ("floats around 2^-102", |bits| with_exponent(bits, 23, 5)),
    ("floats around 2^-102 with subnormal differences", |bits| {
        with_exponent(bits & 0xff80_0003, 23, 5)
    }),
    ("floats around 2^87", |bits| with_exponent(bits, 212, 5)),
    ("huge floats", |bits| with_exponent(bits, 250, 5)),
    ("huge positive floats", |bits| with_exponent(bits, 250, 5) & !SIGN),
    ("floats from 1/2 to 2", near_one),
    ("signed zeros", |bits| bits & SIGN),
    ("floats of few bits", |bits| with_exponent(bits & 0xff80_000f, 0, 30)),
    ("ordinary floats, some infinite", |bits| {
        if bits.is_multiple_of(5000) { 0x7f80_0000 } else { with_exponent(bits, 120, 10) }
    }),
];

/// Whole numbers from -8 to 8, as floats: sums of fewer than 2^20 of them are exact in every order.
pub(super) fn small_integers(bits: u32) -> u32 {
    let magnitude = (bits >> 8) % 9;
    ((magnitude as f32).to_bits()) | if magnitude == 0 { 0 } else { bits & SIGN }
}

/// Odd integers, so that products do not become 0.
pub(super) fn odd(bits: u32) -> u32 {
    bits | 1
}

/// All bits, but one of them now and then.
pub(super) fn nearly_all_bits(bits: u32) -> u32 {
    if bits.is_multiple_of(1500) { !(1 << (bits >> 27)) } else { !0 }
}

/// No bits, but one of them now and then.
pub(super) fn hardly_any_bits(bits: u32) -> u32 {
    !nearly_all_bits(bits)
}

/// Lists with rules of their own.
pub(super) mod special {
    pub(in super::super) const NAN: u32 = 0x7fc0_0000;
    pub(in super::super) const INF: u32 = 0x7f80_0000;
    pub(in super::super) const ONE: u32 = 0x3f80_0000;
    const NEG: u32 = 0x8000_0000;
    const MAX: u32 = 0x7f7f_ffff;
    const SMALLEST: u32 = 1;
    const SMALLEST_NORMAL: u32 = 0x0080_0000;
    const HALF: u32 = 0x3f00_0000;

    /// Among what does not change a minimum or maximum.
    pub(in super::super) const EXTREMA: &[&[u32]] = &[
        &[NAN],
        &[NAN | NEG],
        &[ONE, 0x7f80_0001, INF | NEG],
        &[ONE, 0xffff_ffff, INF],
        &[0, NEG],
        &[NEG, 0],
        &[NEG, NEG],
        &[INF],
        &[INF | NEG],
        &[ONE, INF | NEG],
        &[SMALLEST + 1, SMALLEST],
        &[NEG | SMALLEST, NEG | (SMALLEST + 1), 0],
    ];

    /// Among ones.
    pub(in super::super) const FACTORS: &[&[u32]] = &[
        &[NAN, ONE],
        &[0xffff_ffff, 0],
        &[0, INF],
        &[NEG, ONE, INF | NEG],
        &[INF, ONE | NEG],
        &[INF | NEG, ONE | NEG],
        &[0, ONE | NEG],
        &[NEG, NEG],
        &[MAX, MAX],
        &[MAX, MAX | NEG, ONE],
        // Nothing overflows or underflows midway.
        &[MAX, MAX, SMALLEST_NORMAL, SMALLEST_NORMAL],
        &[SMALLEST, 0x7f00_0000],
        // Subnormal results: exact, ties to even, and too small.
        &[SMALLEST, ONE],
        &[SMALLEST_NORMAL, HALF],
        &[3, HALF],
        &[1, HALF],
        &[5, HALF],
        &[7, HALF | NEG],
        &[1, 0x3f00_0001],
        &[SMALLEST, SMALLEST | NEG],
        &[0x00ff_ffff, HALF],
        // Of which the product of significands is 2 or more, or is not.
        &[0x3fc0_0000, 0x3f40_0000],
        &[0x3f40_0000, 0x3fc0_0000],
        &[0x3fc0_0000, 0x3fc0_0000, 0x3fc0_0000],
        // Far out of range, and back: exponents borrow and carry.
        &[MAX, SMALLEST],
        &[SMALLEST, MAX],
        &[SMALLEST, SMALLEST, MAX, MAX],
    ];

    /// Among zeros.
    pub(in super::super) const ADDENDS: &[&[u32]] = &[
        &[NEG, NEG],
        &[ONE, ONE | NEG],
        &[NAN],
        &[0xffff_ffff, ONE],
        &[INF, INF | NEG],
        &[INF, ONE],
        &[MAX, MAX],
    ];
}
