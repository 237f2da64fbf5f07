// The composition of maps x -> factor * x + offset, modulo 2^32: first a, then b.
struct Affine {
    factor: u32,
    offset: u32,
}

const SALT = 0x9e3779b9u;

fn identity() -> Affine {
    return Affine(1u, 0u);
}

fn lift(x: u32) -> Affine {
    return Affine(x | 1u, x ^ SALT);
}

fn combine(a: Affine, b: Affine) -> Affine {
    return Affine(a.factor * b.factor, a.offset * b.factor + b.offset);
}
