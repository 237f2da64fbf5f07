// What collectives and kernels do with any accumulators.

// Both operands' elements, in this order. `is_safe`: they are in a range in which the device's arithmetic is right.
fn combine(a: Acc, b: Acc, is_safe: bool) -> Acc {
    if CHECKS_RANGE && !is_safe {
        return op_combine_any(a, b);
    }
    return op_combine(a, b);
}

fn acc_select(a: Acc, b: Acc, takes_b: bool) -> Acc {
    if takes_b {
        return b;
    }
    return a;
}

struct Acc4 {
    x: Acc,
    y: Acc,
    z: Acc,
    w: Acc,
}

// Pairwise.
fn acc4_reduce(accs: Acc4, is_safe: bool) -> Acc {
    return combine(combine(accs.x, accs.y, is_safe), combine(accs.z, accs.w, is_safe), is_safe);
}
