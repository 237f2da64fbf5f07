// Additions as the device makes them: in any order, and whatever it takes subnormal numbers, infinities and
// NaNs for.
fn op_combine(a: Acc, b: Acc) -> Acc {
    return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b));
}
