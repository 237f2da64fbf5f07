fn value_at(index: u32) -> f32 {
    return bitcast<f32>(input[2u * index]);
}
