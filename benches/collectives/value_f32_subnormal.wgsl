// Small whole numbers, and the least subnormal one in each workgroup's first lane: it is out of the range that devices add quickly.
alias Value = f32;

fn first_value(number: u32) -> Value {
    return select(f32(1u + (number & 15u)), bitcast<f32>(params.one), (number & 255u) == 0u);
}

// What a lane adds next.
fn next_value(first: Value, total: Value) -> Value {
    return select(first, -first, (u32(abs(total)) & 1u) == 1u);
}
