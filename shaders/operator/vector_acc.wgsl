// For operators that reduce each component alone: an accumulator has a word for each.
alias Acc = Elem;
alias Total = Acc;

const ACC_WORDS = COMPONENTS;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = COMPONENTS;

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return elem_words(acc);
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return elem_of_words(words);
}
