// Runs are merged in integers throughout: no tile is the device's.

// The device itself makes no total.
const CHECKS_TOTALS = true;

fn total_is_right(total: Acc) -> bool {
    return false;
}

const CHECKS_RANGE = true;

fn range_is_safe(range: Range) -> bool {
    return false;
}

fn range_is_safe_in_tile(range: Range) -> bool {
    return false;
}

fn range_is_lost(range: Range) -> bool {
    return false;
}

// What is dropped, as all tiles are made again.
fn op_combine(a: Acc, b: Acc) -> Acc {
    return op_identity();
}

fn op_lost() -> Acc {
    return op_identity();
}

fn op_combine_any(a: Acc, b: Acc) -> Acc {
    return moments_merge(a, b);
}

fn op_is_right(a: Acc, b: Acc, combined: Acc) -> bool {
    return false;
}

fn moments_add(a: Elem, a_scale: i32, b: Elem, b_scale: i32) -> Elem {
    return moment_sum(a, a_scale, b, b_scale);
}
