// Keys of two words, the low one first: unsigned numbers in the order of the elements.
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
