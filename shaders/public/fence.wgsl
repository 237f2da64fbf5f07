// The bits of a float result, made opaque. A WGSL compiler may reorder, contract and simplify float
// operations; it can't see through this addition, so an operation whose result passes the fence keeps its place and its rounding.
// The kernel's uniform has the 0.
fn fence(x: f32) -> u32 {
    return bitcast<u32>(x) + params.zero;
}
