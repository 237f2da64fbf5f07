// What a lane passes.
alias Value = f32;

fn elem_of(value: Value) -> Elem {
    return bitcast<u32>(value);
}
