// Means without NaNs, of f64s.

const ACC_WORDS = 4u;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = 2u;

const ELEM_MARK = Elem(0u, F64_SIGN_BIT);
const ELEM_NAN = F64_CANONICAL_NAN;

fn elem_is_mark(bits: Elem) -> bool {
    return (bits.x == 0u) & (bits.y == F64_SIGN_BIT);
}

fn mean_words(sum: Elem, count: vec2<u32>) -> array<u32, OUT_WORDS> {
    let mean = f64_mean(sum, count);
    return array<u32, OUT_WORDS>(mean.x, mean.y);
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc.sum.x, acc.sum.y, acc.low, acc.high);
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(Elem(words[0], words[1]), words[2], words[3]);
}
