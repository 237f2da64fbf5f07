// Sums of f32s, component by component, by the device or in integers.
fn op_identity() -> Acc {
    return Acc(0u);
}

fn op_lift(bits: Elem) -> Acc {
    return bits;
}

// In integers.
fn components_add(a: Acc, b: Acc) -> Acc {
    var sum = Acc(0u);
    for (var i = 0u; i < COMPONENTS; i++) {
        sum[i] = f32_add(a[i], b[i]);
    }
    return sum;
}
