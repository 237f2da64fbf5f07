// Operators that are not told elements' numbers: all elements count, neutral ones in the place of others.

// The place of the first of some elements in the whole sequence, modulo 2^32.
alias Number = u32;

fn number_at(job: Params, at: u32) -> Number {
    return index_of(job, at);
}

fn number_index(number: Number) -> u32 {
    return number;
}

fn mapped_lift(elem: Elem, number: Number, i: u32, is_kept: bool) -> Acc {
    return op_lift(elem);
}
