// Whether a sum of squares that are safe in a tile can be added to what is before them: 0, or at least 2^-969 and less than 2^1022.
fn carry_is_safe(carry: Acc) -> bool {
    let word = range_word(carry);
    return (word - 1u >= 0x06bfffffu) & (word < 0xffa00000u);
}
