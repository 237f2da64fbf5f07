// An element of 64 bits is two words, the low one first: no device needs to know wider integers.
alias Elem = vec2<u32>;

struct Quad {
    x: Elem,
    y: Elem,
    z: Elem,
    w: Elem,
}
