// For operators whose accumulator is simply an element, as it is for the integers.
alias Acc = Elem;
alias Total = Acc;

const ACC_WORDS = 1u;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = 1u;

fn op_lift(value: Elem) -> Acc {
    return value;
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(elem_to_word(total));
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(elem_to_word(acc));
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return elem_from_word(words[0]);
}
