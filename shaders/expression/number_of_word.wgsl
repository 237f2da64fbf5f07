// Elements' numbers, where the index alone is looked at.

// The place of the first of some elements in the whole sequence, modulo 2^32.
alias Number = u32;

fn number_at(job: Params, at: u32) -> Number {
    return index_of(job, at);
}

fn number_index(number: Number) -> u32 {
    return number;
}
