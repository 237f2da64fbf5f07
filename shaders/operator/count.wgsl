// Counts the elements that are not 0, which is answer 0, says whether any or all are, or counts the NaNs.
override ANSWER: u32 = 0u;
const ANSWER_ANY = 1u;
const ANSWER_ALL = 2u;
const ANSWER_COUNT_NAN = 3u;

fn op_lift(value: Elem) -> Acc {
    if ANSWER == ANSWER_COUNT_NAN {
        return Acc(select(0u, 1u, elem_is_nan(value)), 0u);
    }
    return Acc(select(1u, 0u, elem_is_zero(value)), 0u);
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    if ANSWER == ANSWER_ANY {
        return op_pack(Acc(select(0u, 1u, (total.x | total.y) != 0u), 0u));
    }
    if ANSWER == ANSWER_ALL {
        return op_pack(Acc(select(0u, 1u, (total.x == len.x) & (total.y == len.y)), 0u));
    }
    return op_pack(total);
}

// Whether all bits are 1, or any, as they are folded by and, or by or.
@if(bits_are_set) fn missing_bits() -> u32 {
    return select(0u, 0xffffffffu, FOLD == FOLD_AND);
}

@if(bits_are_set) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let is_so = select(total != 0u, total == ELEM_ALL_BITS, FOLD == FOLD_AND);
    return array<u32, OUT_WORDS>(select(0u, 1u, is_so));
}

// How many bits are 1.
@if(bits_count) fn missing_bits() -> u32 {
    return 0u;
}

@if(bits_count) fn op_lift(value: Elem) -> Acc {
    return Acc(countOneBits(value), 0u);
}
