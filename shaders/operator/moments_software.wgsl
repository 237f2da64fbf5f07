// Runs are merged in integers throughout, for devices whose arithmetic failed the start-up probe: no tile is right.

fn op_combine(a: Acc, b: Acc) -> Acc {
    return run_of(run_sum(a), run_squares(a), a.level + 1u);
}

fn total_is_right(total: Acc) -> bool {
    return false;
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
