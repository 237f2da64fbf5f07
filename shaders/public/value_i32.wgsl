// What a lane passes.
alias Value = i32;

fn elem_of(value: Value) -> Elem {
    return bitcast<u32>(value);
}
