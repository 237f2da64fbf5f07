alias Elem = u32;
alias Quad = vec4<Elem>;

const ELEM_MIN = 0u;
const ELEM_MAX = 0xffffffffu;
const ELEM_ALL_BITS = 0xffffffffu;

fn elem_from_word(word: u32) -> Elem {
    return word;
}

fn elem_to_word(value: Elem) -> u32 {
    return value;
}

fn elem_magnitude(value: Elem) -> u32 {
    return value;
}

fn elem_is_zero(value: Elem) -> bool {
    return value == 0u;
}

// No integer is.
fn elem_is_nan(value: Elem) -> bool {
    return false;
}
