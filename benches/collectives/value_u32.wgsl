alias Value = u32;

fn first_value(number: u32) -> Value {
    return number * 2654435761u;
}

// What a lane adds next.
fn next_value(first: Value, total: Value) -> Value {
    return first ^ total;
}
