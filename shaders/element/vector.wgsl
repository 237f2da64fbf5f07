// Four elements of several components.
struct Quad {
    x: Elem,
    y: Elem,
    z: Elem,
    w: Elem,
}
