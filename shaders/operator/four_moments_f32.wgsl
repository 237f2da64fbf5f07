// Moments of f32s, as words.

const ACC_WORDS = 12u;
// The first words, which hold no extremum.
const SUMS_WORDS = 6u;
const OUT_WORDS = 15u;

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.sum,
        acc.squares,
        acc.cubes.x,
        acc.cubes.y,
        acc.fourths.x,
        acc.fourths.y,
        acc.least,
        acc.largest,
        acc.least_at,
        acc.largest_at,
        acc.nans,
        acc.high_parts,
    );
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(
        words[0],
        words[1],
        vec2<u32>(words[2], words[3]),
        vec2<u32>(words[4], words[5]),
        words[6],
        words[7],
        words[8],
        words[9],
        words[10],
        words[11],
    );
}

// The f64 that an f32 is.
fn widened(bits: Elem) -> vec2<u32> {
    let sign = bits & F32_SIGN_BIT;
    let magnitude = bits & ~F32_SIGN_BIT;
    if magnitude >= F32_INFINITY_BITS {
        return select(vec2<u32>(0u, sign | F64_INFINITY_HIGH), F64_CANONICAL_NAN, f32_is_nan(bits));
    }
    if magnitude == 0u {
        return vec2<u32>(0u, sign);
    }
    // Of a subnormal number the leading bit becomes the hidden one.
    let up = select(countLeadingZeros(magnitude) - 8u, 0u, magnitude >= F32_HIDDEN_BIT);
    let field = select(897u - up, (magnitude >> 23u) + 896u, magnitude >= F32_HIDDEN_BIT);
    let fraction = (magnitude << up) & F32_FRACTION_MASK;
    return vec2<u32>(fraction << 29u, sign | (field << 20u) | (fraction >> 3u));
}

fn canonical(bits: Elem) -> Elem {
    let number = select(bits, 0u, (bits & ~F32_SIGN_BIT) == 0u);
    return select(number, F32_CANONICAL_NAN_BITS, f32_is_nan(bits));
}

// What the host makes of it is documented at `Moments`.
fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let cubes = wide_canonical(total.run.cubes);
    let fourths = wide_canonical(total.run.fourths);
    let least_at = least_at_of(total.run);
    let largest_at = largest_at_of(total.run);
    let nans = nans_of(total.run);
    return array<u32, OUT_WORDS>(
        canonical(total.sum),
        canonical(total.drift),
        canonical(moments_squares(total.run)),
        cubes.x,
        cubes.y,
        fourths.x,
        fourths.y,
        least_at.x,
        least_at.y,
        least_bits(total.run.least),
        largest_at.x,
        largest_at.y,
        largest_bits(total.run.largest),
        nans.x,
        nans.y,
    );
}
