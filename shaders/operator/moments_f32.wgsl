// The moments of a run: its sum R and the sum M of the squared distances from its mean, as docs/float-sums.md defines them.
struct Acc {
    sum: Elem,
    // Never negative.
    squares: Elem,
    // The run has 2^level elements.
    level: u32,
}

const ACC_WORDS = 3u;
// Accumulators that combine are of one level.
const SHUFFLED_WORDS = 2u;
const OUT_WORDS = 1u;

fn op_identity() -> Acc {
    return Acc(0u, 0u, 0u);
}

fn op_lift(bits: Elem) -> Acc {
    return Acc(bits, 0u, 0u);
}

// Of a tile with a NaN.
fn op_lost() -> Acc {
    return Acc(F32_CANONICAL_NAN_BITS, F32_CANONICAL_NAN_BITS, 0u);
}

fn run_of(sum: Elem, squares: Elem, level: u32) -> Acc {
    return Acc(sum, squares, level);
}

fn run_sum(acc: Acc) -> Elem {
    return acc.sum;
}

fn run_level(acc: Acc) -> u32 {
    return acc.level;
}

fn run_squares(acc: Acc) -> Elem {
    return acc.squares;
}

fn moment_words(bits: Elem) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(bits);
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc.sum, acc.squares, acc.level);
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1], words[2]);
}
