// What the device makes of an expression, as a word, and whether that is right.
struct Mapped {
    bits: u32,
    is_right: bool,
    // Whether the element counts.
    is_kept: bool,
}
