// For operators whose accumulator is 64 bits, and so is their result: two words, the low one first. They are an integer, the
// bits of a float, or a key made of them.
alias Acc = vec2<u32>;
alias Total = Acc;

const ACC_WORDS = 2u;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = 2u;

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc.x, acc.y);
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1]);
}
