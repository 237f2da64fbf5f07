// Small whole numbers: every sum is exact, in any order.
alias Value = f32;

fn first_value(number: u32) -> Value {
    let whole = f32(1u + (number & 15u));
    return select(whole, bitcast<f32>(params.lane_0), params.lane_0 != 0u && (number & 255u) == 0u);
}

// What a lane adds next.
fn next_value(first: Value, total: Value) -> Value {
    return select(first, -first, (u32(abs(total)) & 1u) == 1u);
}
