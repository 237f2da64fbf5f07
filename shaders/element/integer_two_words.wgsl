// What integers of two words have in common.

const ELEM_ALL_BITS = Elem(0xffffffffu, 0xffffffffu);

fn elem_is_zero(value: Elem) -> bool {
    return (value.x | value.y) == 0u;
}

// No integer is.
fn elem_is_nan(value: Elem) -> bool {
    return false;
}
