fn value_at(index: u32) -> i32 {
    return bitcast<i32>(input[2u * index]);
}
