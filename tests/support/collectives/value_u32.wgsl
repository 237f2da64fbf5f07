fn value_at(index: u32) -> u32 {
    return input[2u * index];
}
