// Elements of one word as keys: unsigned numbers in the same order.
alias Key = u32;

const KEY_WORDS = 1u;
const KEY_ALL_BITS = 0xffffffffu;

fn key_less(a: Key, b: Key) -> bool {
    return a < b;
}

fn key_larger(a: Key, b: Key) -> Key {
    return max(a, b);
}

fn key_equal(a: Key, b: Key) -> bool {
    return a == b;
}

// The word of this number.
fn key_word(key: Key, i: u32) -> u32 {
    return key;
}

fn key_of_words(low: u32, high: u32) -> Key {
    return low;
}

// The key of the smallest integer, or of -infinity. The complement of the largest one's key is the same.
fn key_least() -> Key {
    return select(0u, 0x007fffffu, NUMBERS == FLOATS);
}

fn elem_key(value: Elem) -> Key {
    if NUMBERS == FLOATS {
        return f32_to_key(value);
    }
    return select(value, value ^ 0x80000000u, NUMBERS == SIGNED);
}

// The inverse; keys of no number give the canonical NaN.
fn key_bits(key: Key) -> u32 {
    if NUMBERS == FLOATS {
        return f32_from_key(key);
    }
    return key_any_bits(key);
}

// The inverse for every key.
fn key_any_bits(key: Key) -> u32 {
    if NUMBERS == FLOATS {
        return f32_from_any_key(key);
    }
    return select(key, key ^ 0x80000000u, NUMBERS == SIGNED);
}
