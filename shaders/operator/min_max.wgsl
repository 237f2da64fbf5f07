// The smallest and the largest element: their keys, each the greatest of its kind.
struct Acc {
    least: Key,
    largest: Key,
}
alias Total = Acc;

const ACC_WORDS = 2u * KEY_WORDS;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = ACC_WORDS;

fn op_identity() -> Acc {
    return Acc(key_identity(), key_identity());
}

fn op_lift(value: Elem) -> Acc {
    return Acc(least_key(value), largest_key(value));
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return Acc(key_larger(a.least, b.least), key_larger(a.largest, b.largest));
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < KEY_WORDS; i++) {
        words[i] = key_word(acc.least, i);
        words[KEY_WORDS + i] = key_word(acc.largest, i);
    }
    return words;
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    let last = KEY_WORDS - 1u;
    return Acc(
        key_of_words(words[0], words[last]),
        key_of_words(words[KEY_WORDS], words[KEY_WORDS + last]),
    );
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(Acc(least_bits(total.least), largest_bits(total.largest)));
}
