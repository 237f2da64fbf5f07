// Keys of one word: unsigned numbers in the order of the elements.
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
