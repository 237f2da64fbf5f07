// Comparisons of 64 bits, as two words, the low one first.

// Whether a is less than b, as unsigned numbers.
fn two_words_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return (a.y < b.y) | ((a.y == b.y) & (a.x < b.x));
}
