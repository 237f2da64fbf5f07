alias Elem = i32;
alias Quad = vec4<Elem>;

const ELEM_MIN = i32(-2147483648);
const ELEM_MAX = 2147483647i;
const ELEM_ALL_BITS = -1i;

fn elem_from_word(word: u32) -> Elem {
    return bitcast<i32>(word);
}

fn elem_to_word(value: Elem) -> u32 {
    return bitcast<u32>(value);
}

// Unsigned, because that of the smallest is no i32.
fn elem_magnitude(value: Elem) -> u32 {
    let word = bitcast<u32>(value);
    return select(word, 0u - word, value < 0i);
}

fn elem_is_zero(value: Elem) -> bool {
    return value == 0i;
}

// No integer is.
fn elem_is_nan(value: Elem) -> bool {
    return false;
}
