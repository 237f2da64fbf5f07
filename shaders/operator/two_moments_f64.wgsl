// Of f64s, as words.

const ACC_WORDS = 12u;
const OUT_WORDS = 16u;

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.sum.x,
        acc.sum.y,
        acc.squares.x,
        acc.squares.y,
        acc.least.x,
        acc.least.y,
        acc.largest.x,
        acc.largest.y,
        acc.least_at,
        acc.largest_at,
        acc.nans,
        acc.high_parts,
    );
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(
        Elem(words[0], words[1]),
        Elem(words[2], words[3]),
        Key(words[4], words[5]),
        Key(words[6], words[7]),
        words[8],
        words[9],
        words[10],
        words[11],
    );
}

// One NaN, and no negative zero.
fn canonical(bits: Elem) -> Elem {
    return select(select(bits, F64_CANONICAL_NAN, f64_is_nan(bits)), MOMENT_ZERO, f64_is_zero(bits));
}

// What the host makes of it is documented at `BriefMoments`.
fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let sum = canonical(total.sum);
    let drift = canonical(total.drift);
    let squares = canonical(moments_squares(total.run));
    let least_at = least_at_of(total.run);
    let least = least_bits(total.run.least);
    let largest_at = largest_at_of(total.run);
    let largest = largest_bits(total.run.largest);
    let nans = nans_of(total.run);
    return array<u32, OUT_WORDS>(
        sum.x,
        sum.y,
        drift.x,
        drift.y,
        squares.x,
        squares.y,
        least_at.x,
        least_at.y,
        least.x,
        least.y,
        largest_at.x,
        largest_at.y,
        largest.x,
        largest.y,
        nans.x,
        nans.y,
    );
}
