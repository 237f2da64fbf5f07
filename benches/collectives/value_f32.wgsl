// Small whole numbers: every sum is exact, in any order.
alias Value = f32;

fn first_value(number: u32) -> Value {
    return f32(1u + (number & 15u));
}

// What a lane adds next.
fn next_value(first: Value, total: Value) -> Value {
    return select(first, -first, (u32(abs(total)) & 1u) == 1u);
}
