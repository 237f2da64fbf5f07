// Moments of f64s, as words.

const ACC_WORDS = 16u;
const OUT_WORDS = 20u;

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.sum.x,
        acc.sum.y,
        acc.squares.x,
        acc.squares.y,
        acc.cubes.x,
        acc.cubes.y,
        acc.fourths.x,
        acc.fourths.y,
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
        vec2<u32>(words[4], words[5]),
        vec2<u32>(words[6], words[7]),
        Key(words[8], words[9]),
        Key(words[10], words[11]),
        words[12],
        words[13],
        words[14],
        words[15],
    );
}

fn widened(bits: Elem) -> vec2<u32> {
    return bits;
}

// What the host makes of it is documented at `Moments`.
fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let sum = wide_canonical(total.sum);
    let drift = wide_canonical(total.drift);
    let squares = wide_canonical(moments_squares(total.run));
    let cubes = wide_canonical(total.run.cubes);
    let fourths = wide_canonical(total.run.fourths);
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
        cubes.x,
        cubes.y,
        fourths.x,
        fourths.y,
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
