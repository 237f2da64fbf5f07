// Of f32s, as words.

const ACC_WORDS = 8u;
// The first words, which hold no extremum.
const SUMS_WORDS = 2u;
const OUT_WORDS = 11u;

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.sum,
        acc.squares,
        acc.least,
        acc.largest,
        acc.least_at,
        acc.largest_at,
        acc.nans,
        acc.high_parts,
    );
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7]);
}

// The device has none to make.
fn device_high(a: Acc, b: Acc, distance: u32, level: u32) -> High {
    return 0u;
}

// One NaN, and no negative zero.
fn canonical(bits: Elem) -> Elem {
    let number = select(bits, 0u, (bits & ~F32_SIGN_BIT) == 0u);
    return select(number, F32_CANONICAL_NAN_BITS, f32_is_nan(bits));
}

// What the host makes of it is documented at `BriefMoments`.
fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let least_at = least_at_of(total.run);
    let largest_at = largest_at_of(total.run);
    let nans = nans_of(total.run);
    return array<u32, OUT_WORDS>(
        canonical(total.sum),
        canonical(total.drift),
        canonical(moments_squares(total.run)),
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
