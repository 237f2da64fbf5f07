// Elements of two words as keys, the low word first: unsigned numbers in the same order.
alias Key = vec2<u32>;

const KEY_WORDS = 2u;
const KEY_ALL_BITS = vec2<u32>(0xffffffffu, 0xffffffffu);

fn key_less(a: Key, b: Key) -> bool {
    return two_words_less(a, b);
}

fn key_larger(a: Key, b: Key) -> Key {
    return select(a, b, two_words_less(a, b));
}

fn key_equal(a: Key, b: Key) -> bool {
    return (a.x == b.x) & (a.y == b.y);
}

// The word of this number.
fn key_word(key: Key, i: u32) -> u32 {
    return select(key.x, key.y, i == 1u);
}

fn key_of_words(low: u32, high: u32) -> Key {
    return Key(low, high);
}

// The key of the smallest integer, or of -infinity. The complement of the largest one's key is the same.
fn key_least() -> Key {
    return select(Key(0u, 0u), Key(0xffffffffu, 0x000fffffu), NUMBERS == FLOATS);
}

fn elem_key(value: Elem) -> Key {
    if NUMBERS == FLOATS {
        return f64_to_key(value);
    }
    return Key(value.x, select(value.y, value.y ^ 0x80000000u, NUMBERS == SIGNED));
}

// The inverse; keys of no number give the canonical NaN.
fn key_bits(key: Key) -> vec2<u32> {
    let bits = key_any_bits(key);
    return select(bits, F64_CANONICAL_NAN, (NUMBERS == FLOATS) & f64_is_nan(bits));
}

// The inverse for every key.
fn key_any_bits(key: Key) -> vec2<u32> {
    if NUMBERS == FLOATS {
        return f64_from_any_key(key);
    }
    return vec2<u32>(key.x, select(key.y, key.y ^ 0x80000000u, NUMBERS == SIGNED));
}
