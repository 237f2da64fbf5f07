// What the device makes of an expression of 64 bits, and whether that is right.
struct Mapped {
    bits: vec2<u32>,
    is_right: bool,
    // Whether the element counts.
    is_kept: bool,
}
