// How many elements are not 0: 64 bits, the low word first.
alias Acc = vec2<u32>;

const ACC_WORDS = 2u;
const OUT_WORDS = 2u;

fn op_identity() -> Acc {
    return Acc(0u, 0u);
}

fn op_lift(value: Elem) -> Acc {
    return Acc(select(0u, 1u, elem_magnitude(value) != 0u), 0u);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    let low = a.x + b.x;
    return Acc(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn op_finish(total: Acc) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(total.x, total.y);
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc.x, acc.y);
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1]);
}
