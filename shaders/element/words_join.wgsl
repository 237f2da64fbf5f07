// The word that begins at a bit of `low`, below 32, and goes on in `high`.
fn words_join(low: u32, high: u32, bit: u32) -> u32 {
    // In two steps, as no shift by 32 has a meaning.
    return (low >> bit) | ((high << 1u) << (31u - bit));
}
