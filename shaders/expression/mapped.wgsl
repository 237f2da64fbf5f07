// What the device makes of an expression, as a word, and whether that is right.
struct Mapped {
    word: u32,
    is_right: bool,
}
