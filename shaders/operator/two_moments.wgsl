// Of a run its sum R and squares M, as variances have them; the extrema, and where in the run they are; and how many elements are NaN.

// No member begins elsewhere than where the one before it ends, of f32s as of f64s.
struct Acc {
    sum: Elem,
    // Never negative.
    squares: Elem,
    // Of all elements the least key, as nans.wgsl has it, and the largest. A NaN has the best key of both.
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
