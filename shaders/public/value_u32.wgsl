// What a lane passes.
alias Value = u32;

fn elem_of(value: Value) -> Elem {
    return value;
}
