// Elements as keys: unsigned numbers in the same order.

// Elements of one word as keys: unsigned numbers in the same order.
@if(word) alias Key = u32;

@if(word) const KEY_WORDS = 1u;
@if(word) const KEY_ALL_BITS = 0xffffffffu;

@if(word) fn key_less(a: Key, b: Key) -> bool {
    return a < b;
}

@if(word) fn key_larger(a: Key, b: Key) -> Key {
    return max(a, b);
}

@if(word) fn key_equal(a: Key, b: Key) -> bool {
    return a == b;
}

// The word of this number.
@if(word) fn key_word(key: Key, i: u32) -> u32 {
    return key;
}

@if(word) fn key_of_words(low: u32, high: u32) -> Key {
    return low;
}

// The key of the smallest integer, or of -infinity. The complement of the largest one's key is the same.
@if(word) fn key_least() -> Key {
    return select(0u, 0x007fffffu, NUMBERS == FLOATS);
}

@if(word) fn elem_key(value: Elem) -> Key {
    if NUMBERS == FLOATS {
        return f32_to_key(value);
    }
    return select(value, value ^ 0x80000000u, NUMBERS == SIGNED);
}

// The inverse; keys of no number give the canonical NaN.
@if(word) fn key_bits(key: Key) -> u32 {
    if NUMBERS == FLOATS {
        return f32_from_key(key);
    }
    return key_any_bits(key);
}

// The inverse for every key.
@if(word) fn key_any_bits(key: Key) -> u32 {
    if NUMBERS == FLOATS {
        return f32_from_any_key(key);
    }
    return select(key, key ^ 0x80000000u, NUMBERS == SIGNED);
}

// f32 values as u32 keys in the same order, -0 below +0: comparing floats would leave NaNs,
// subnormals and the sign of zero to the implementation.

@if(f32) fn f32_to_key(bits: u32) -> u32 {
    let negative = 0u - (bits >> 31u);
    return bits ^ (negative | F32_SIGN_BIT);
}

// The inverse for every key.
@if(f32) fn f32_from_any_key(key: u32) -> u32 {
    return key ^ select(0xffffffffu, F32_SIGN_BIT, (key >> 31u) == 1u);
}

// The inverse; keys of no number give the canonical NaN.
@if(f32) fn f32_from_key(key: u32) -> u32 {
    let bits = f32_from_any_key(key);
    return select(bits, F32_CANONICAL_NAN_BITS, f32_is_nan(bits));
}

// Elements of two words as keys, the low word first: unsigned numbers in the same order.
@if(two_words) alias Key = vec2<u32>;

@if(two_words) const KEY_WORDS = 2u;
@if(two_words) const KEY_ALL_BITS = vec2<u32>(0xffffffffu, 0xffffffffu);

@if(two_words) fn key_less(a: Key, b: Key) -> bool {
    return two_words_less(a, b);
}

@if(two_words) fn key_larger(a: Key, b: Key) -> Key {
    return select(a, b, two_words_less(a, b));
}

@if(two_words) fn key_equal(a: Key, b: Key) -> bool {
    return (a.x == b.x) & (a.y == b.y);
}

// The word of this number.
@if(two_words) fn key_word(key: Key, i: u32) -> u32 {
    return select(key.x, key.y, i == 1u);
}

@if(two_words) fn key_of_words(low: u32, high: u32) -> Key {
    return Key(low, high);
}

// The key of the smallest integer, or of -infinity. The complement of the largest one's key is the same.
@if(two_words) fn key_least() -> Key {
    return select(Key(0u, 0u), Key(0xffffffffu, 0x000fffffu), NUMBERS == FLOATS);
}

@if(two_words) fn elem_key(value: Elem) -> Key {
    if NUMBERS == FLOATS {
        return f64_to_key(value);
    }
    return Key(value.x, select(value.y, value.y ^ 0x80000000u, NUMBERS == SIGNED));
}

// The inverse; keys of no number give the canonical NaN.
@if(two_words) fn key_bits(key: Key) -> vec2<u32> {
    let bits = key_any_bits(key);
    return select(bits, F64_CANONICAL_NAN, (NUMBERS == FLOATS) & f64_is_nan(bits));
}

// The inverse for every key.
@if(two_words) fn key_any_bits(key: Key) -> vec2<u32> {
    if NUMBERS == FLOATS {
        return f64_from_any_key(key);
    }
    return vec2<u32>(key.x, select(key.y, key.y ^ 0x80000000u, NUMBERS == SIGNED));
}

// f64 values as keys of two words in the same order, as of unsigned numbers, -0 below +0.

@if(f64) fn f64_to_key(bits: vec2<u32>) -> vec2<u32> {
    let negative = 0u - (bits.y >> 31u);
    return vec2<u32>(bits.x ^ negative, bits.y ^ (negative | F64_SIGN_BIT));
}

// The inverse for every key.
@if(f64) fn f64_from_any_key(key: vec2<u32>) -> vec2<u32> {
    let negative = (key.y >> 31u) - 1u;
    return vec2<u32>(key.x ^ negative, key.y ^ (negative | F64_SIGN_BIT));
}

// What NaNs are where an order is concerned.
@if(nans) override NANS: u32 = 0u;
// One of them makes an extremum NaN: its key is beyond every number's, either way round.
@if(nans) const NANS_WIN = 0u;
// They are no elements: their key is less than every number's, either way round. Where there is nothing else, the extremum is NaN.
@if(nans) const NANS_LOSE = 1u;
// They are elements as others are, in IEEE-754's total order: before -infinity, or after +infinity, by their sign, and by their bits.
@if(nans) const NANS_ARE_ORDERED = 2u;

// Of no elements: no element's key is less.
@if(nans) fn key_identity() -> Key {
    if NANS == NANS_WIN {
        return key_least();
    }
    return Key(0u);
}

// An element's key, or what takes its place if that is a NaN.
@if(nans) fn key_or_nan(value: Elem, key: Key) -> Key {
    if NANS == NANS_ARE_ORDERED {
        return key;
    }
    return select(key, select(KEY_ALL_BITS, Key(0u), NANS == NANS_LOSE), elem_is_nan(value));
}

// The greatest of these is the largest element's.
@if(nans) fn largest_key(value: Elem) -> Key {
    return key_or_nan(value, elem_key(value));
}

// The greatest of these is the smallest element's.
@if(nans) fn least_key(value: Elem) -> Key {
    return key_or_nan(value, ~elem_key(value));
}

// The bits of the element with the largest key.
@if(nans) fn largest_bits(key: Key) -> Key {
    if NANS == NANS_ARE_ORDERED {
        return key_any_bits(key);
    }
    return key_bits(key);
}

// The bits of the element with the least key.
@if(nans) fn least_bits(key: Key) -> Key {
    return largest_bits(~key);
}
