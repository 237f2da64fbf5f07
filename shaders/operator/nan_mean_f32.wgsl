// Means without NaNs, of f32s.

const ACC_WORDS = 3u;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = 1u;

const ELEM_MARK = F32_SIGN_BIT;
const ELEM_NAN = F32_CANONICAL_NAN_BITS;

fn elem_is_mark(bits: Elem) -> bool {
    return bits == ELEM_MARK;
}

fn mean_words(sum: Elem, count: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(f32_mean(sum, count));
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc.sum, acc.low, acc.high);
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1], words[2]);
}
