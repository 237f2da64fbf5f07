// What blocks of a single pass tell others: how many of their elements are flagged. A launch has less than 2^32.

@if(counts) fn op_identity() -> Acc {
    return 0u;
}

@if(counts) fn op_combine(a: Acc, b: Acc) -> Acc {
    return a + b;
}

@if(counts) fn acc_of(count: u32, end: u32) -> Acc {
    return count;
}

@if(counts) fn acc_count(acc: Acc) -> u32 {
    return acc;
}

// Nobody asks for it.
@if(counts) fn acc_end(acc: Acc) -> u32 {
    return 0u;
}

// What blocks of a single pass tell others: how many of their elements are flagged, and the position behind the last of them, or 0 if there is none. A
// launch has less than 2^32.

@if(runs) fn op_identity() -> Acc {
    return Acc(0u, 0u);
}

@if(runs) fn op_combine(a: Acc, b: Acc) -> Acc {
    return Acc(a.x + b.x, max(a.y, b.y));
}

@if(runs) fn acc_of(count: u32, end: u32) -> Acc {
    return Acc(count, end);
}

@if(runs) fn acc_count(acc: Acc) -> u32 {
    return acc.x;
}

@if(runs) fn acc_end(acc: Acc) -> u32 {
    return acc.y;
}
