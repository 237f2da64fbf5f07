// What blocks of a single pass tell others: how many of their elements are flagged, and the position behind the last of them, or 0 if there is none. A
// launch has less than 2^32.

fn op_identity() -> Acc {
    return Acc(0u, 0u);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return Acc(a.x + b.x, max(a.y, b.y));
}

fn acc_of(count: u32, end: u32) -> Acc {
    return Acc(count, end);
}

fn acc_count(acc: Acc) -> u32 {
    return acc.x;
}

fn acc_end(acc: Acc) -> u32 {
    return acc.y;
}
