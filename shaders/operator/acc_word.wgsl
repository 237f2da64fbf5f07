// For operators whose accumulator is one word, and so is their result: the bits of a float, or a key made of them, or a
// number.
alias Acc = u32;
alias Total = Acc;

const ACC_WORDS = 1u;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = 1u;

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc);
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return words[0];
}
