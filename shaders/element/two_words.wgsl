// An element of 64 bits is two words, the low one first: no device needs to know wider integers.
alias Elem = vec2<u32>;

struct Quad {
    x: Elem,
    y: Elem,
    z: Elem,
    w: Elem,
}

// Whether a is less than b, as unsigned numbers.
fn two_words_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}
