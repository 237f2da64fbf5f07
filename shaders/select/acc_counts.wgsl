// What blocks of a single pass tell others: how many of their elements are flagged. A launch has less than 2^32.

fn op_identity() -> Acc {
    return 0u;
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return a + b;
}

fn acc_of(count: u32, end: u32) -> Acc {
    return count;
}

fn acc_count(acc: Acc) -> u32 {
    return acc;
}

// Nobody asks for it.
fn acc_end(acc: Acc) -> u32 {
    return 0u;
}
