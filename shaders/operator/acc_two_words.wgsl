// For operators whose accumulator is 64 bits, and so is their result: two words, the low one first.
alias Acc = vec2<u32>;

const ACC_WORDS = 2u;
const OUT_WORDS = 2u;

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(total);
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc.x, acc.y);
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1]);
}
