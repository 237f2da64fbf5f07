// The element with the greatest key: `arg_key` and `arg_bits` say which end that is.

// Magnitudes are compared in place of keys.
override OF_MAGNITUDES: bool = false;

fn op_identity() -> Acc {
    if OF_MAGNITUDES {
        return Key(0u);
    }
    return key_identity();
}

fn op_lift(value: Elem) -> Acc {
    if OF_MAGNITUDES {
        return elem_magnitude(value);
    }
    return arg_key(value);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return key_larger(a, b);
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    if OF_MAGNITUDES {
        return op_pack(total);
    }
    return op_pack(arg_bits(total));
}

// Elements of several components as keys, one for each: unsigned numbers in the order of the components, or in the opposite order. A NaN's key is above every
// number's, either way. Components know no other rule for NaNs.
@if(components) alias Key = Elem;

// Which end of the order is meant.
@if(components) override TAKES_LEAST: bool = false;

@if(components) fn key_larger(a: Key, b: Key) -> Key {
    return max(a, b);
}

// The keys of the smallest integers, or of -infinity. In the opposite order these are the keys of the largest ones.
@if(components) fn key_identity() -> Key {
    return Key(select(0u, 0x007fffffu, NUMBERS == FLOATS));
}

@if(components) fn arg_key(value: Elem) -> Key {
    let signs = Key(0x80000000u);
    if NUMBERS == FLOATS {
        let negative = Key(0u) - (value >> Key(31u));
        let key = value ^ (negative | signs);
        let are_nan = (value & ~signs) > Key(F32_INFINITY_BITS);
        return select(select(key, ~key, TAKES_LEAST), Key(0xffffffffu), are_nan);
    }
    let key = select(value, value ^ signs, NUMBERS == SIGNED);
    return select(key, ~key, TAKES_LEAST);
}

// The inverse; keys of no number give the canonical NaN.
@if(components) fn arg_bits(of_end: Key) -> Elem {
    let key = select(of_end, ~of_end, TAKES_LEAST);
    let signs = Key(0x80000000u);
    if NUMBERS == FLOATS {
        let bits = key ^ select(Key(0xffffffffu), signs, key >= signs);
        let are_nan = (bits & ~signs) > Key(F32_INFINITY_BITS);
        return select(bits, Key(F32_CANONICAL_NAN_BITS), are_nan);
    }
    return select(key, key ^ signs, NUMBERS == SIGNED);
}

// The magnitudes of floats are their bits without the signs. Every NaN has one magnitude, above all others.
@if(components) fn elem_magnitude(value: Elem) -> Elem {
    let signs = Elem(0x80000000u);
    if NUMBERS == FLOATS {
        let magnitudes = value & ~signs;
        let are_nan = magnitudes > Elem(F32_INFINITY_BITS);
        return select(magnitudes, Elem(F32_CANONICAL_NAN_BITS), are_nan);
    }
    let negative = Elem(0u) - (value >> Elem(31u));
    return select(value, (value ^ negative) - negative, NUMBERS == SIGNED);
}

@if(atomic) alias AtomicWord = u32;

@if(atomic) fn accumulate(at: u32, total: Acc) {
    atomicMax(&accumulator[at], total);
}

@if(subgroup) fn op_subgroup(value: Acc) -> Acc {
    return subgroupMax(value);
}

// The smallest and the largest element: their keys, each the greatest of its kind.
@if(both) struct Acc {
    least: Key,
    largest: Key,
}
@if(both) alias Total = Acc;

@if(both) const ACC_WORDS = 2u * KEY_WORDS;
@if(both) const SHUFFLED_WORDS = ACC_WORDS;
@if(both) const OUT_WORDS = ACC_WORDS;

@if(both) fn op_identity() -> Acc {
    return Acc(key_identity(), key_identity());
}

@if(both) fn op_lift(value: Elem) -> Acc {
    return Acc(least_key(value), largest_key(value));
}

@if(both) fn op_combine(a: Acc, b: Acc) -> Acc {
    return Acc(key_larger(a.least, b.least), key_larger(a.largest, b.largest));
}

@if(both) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < KEY_WORDS; i++) {
        words[i] = key_word(acc.least, i);
        words[KEY_WORDS + i] = key_word(acc.largest, i);
    }
    return words;
}

@if(both) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    let last = KEY_WORDS - 1u;
    return Acc(
        key_of_words(words[0], words[last]),
        key_of_words(words[KEY_WORDS], words[KEY_WORDS + last]),
    );
}

@if(both) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(Acc(least_bits(total.least), largest_bits(total.largest)));
}

@if(both_subgroup) fn op_subgroup(value: Acc) -> Acc {
    return Acc(subgroupMax(value.least), subgroupMax(value.largest));
}
