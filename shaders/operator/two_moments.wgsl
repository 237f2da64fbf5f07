// Of a run its sum R and squares M, as variances have them; the extrema, and where in the run they are; and how many elements are NaN.

// No member begins elsewhere than where the one before it ends, of f32s as of f64s.
struct Acc {
    sum: Elem,
    // Never negative.
    squares: Elem,
    // Of all elements the least key, as key.wgsl@nans has it, and the largest. A NaN has the best key of both.
    least: Key,
    largest: Key,
    // The lower halves of where these are, and of how many elements are NaN,
    least_at: u32,
    largest_at: u32,
    nans: u32,
    // and their higher ones; and the level: the run has 2^level elements.
    high_parts: u32,
}

const SHUFFLED_WORDS = ACC_WORDS;

fn op_identity() -> Acc {
    return Acc(MOMENT_ZERO, MOMENT_ZERO, key_identity(), key_identity(), 0u, 0u, 0u, 0u);
}

fn op_lift(bits: Elem) -> Acc {
    let nans = select(0u, 1u, elem_is_nan(bits));
    return Acc(bits, MOMENT_ZERO, least_key(bits), largest_key(bits), 0u, 0u, nans, 0u);
}

// There are no higher moments.
alias High = u32;

fn high_join(a: Acc, b: Acc, between: Elem, folds: bool) -> High {
    return 0u;
}

// Of a run with these moments.
fn acc_of(
    sum: Elem,
    squares: Elem,
    high: High,
    least: Key,
    largest: Key,
    least_at: u32,
    largest_at: u32,
    nans: u32,
    high_parts: u32,
) -> Acc {
    return Acc(sum, squares, least, largest, least_at, largest_at, nans, high_parts);
}

// Of f32s, as words.

@if(f32) const ACC_WORDS = 8u;
// The first words, which hold no extremum.
@if(f32) const SUMS_WORDS = 2u;
@if(f32) const OUT_WORDS = 11u;

@if(f32) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
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

@if(f32) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7]);
}

// The device has none to make.
@if(f32) fn device_high(a: Acc, b: Acc, distance: u32, level: u32) -> High {
    return 0u;
}

// One NaN, and no negative zero.
@if(f32) fn canonical(bits: Elem) -> Elem {
    let number = select(bits, 0u, (bits & ~F32_SIGN_BIT) == 0u);
    return select(number, F32_CANONICAL_NAN_BITS, f32_is_nan(bits));
}

// What the host makes of it is documented at `BriefMoments`.
@if(f32) fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
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

// Of f64s, as words.

@if(f64) const ACC_WORDS = 12u;
@if(f64) const OUT_WORDS = 16u;

@if(f64) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
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

@if(f64) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
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
@if(f64) fn canonical(bits: Elem) -> Elem {
    return select(select(bits, F64_CANONICAL_NAN, f64_is_nan(bits)), MOMENT_ZERO, f64_is_zero(bits));
}

// What the host makes of it is documented at `BriefMoments`.
@if(f64) fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
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
