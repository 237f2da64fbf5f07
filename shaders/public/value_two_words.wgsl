// What a lane passes: 64 bits, the low word first.
alias Value = vec2<u32>;

fn elem_of(value: Value) -> Elem {
    return value;
}
