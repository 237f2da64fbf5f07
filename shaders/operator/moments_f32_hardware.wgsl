// Runs of f32s are merged by the device's arithmetic.

// For what is in range together.
fn op_combine(a: Acc, b: Acc) -> Acc {
    let distance = device_difference(b.sum, a.sum);
    let squares = device_squares(distance, a.level, a.squares, b.squares);
    return Acc(device_sum(a.sum, b.sum), squares, a.level + 1u);
}

// For any.
fn op_combine_any(a: Acc, b: Acc) -> Acc {
    return moments_merge(a, b);
}
