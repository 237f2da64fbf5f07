// Whether a sum of squares that are safe in a tile can be added to what is before them: 0, or at least 2^-102 and less than 2^126.
fn carry_is_safe(carry: Acc) -> bool {
    let doubled = carry << 1u;
    return (doubled - 1u >= 0x18ffffffu) & (doubled < 0xfd000000u);
}
