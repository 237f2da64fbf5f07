// Elements of several components as keys, one for each: unsigned numbers in the order of the components, or in the opposite order. A NaN's key is above every
// number's, either way. Components know no other rule for NaNs.
alias Key = Elem;

// Which end of the order is meant.
override TAKES_LEAST: bool = false;

fn key_larger(a: Key, b: Key) -> Key {
    return max(a, b);
}

// The keys of the smallest integers, or of -infinity. In the opposite order these are the keys of the largest ones.
fn key_identity() -> Key {
    return Key(select(0u, 0x007fffffu, NUMBERS == FLOATS));
}

fn arg_key(value: Elem) -> Key {
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
fn arg_bits(of_end: Key) -> Elem {
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
fn elem_magnitude(value: Elem) -> Elem {
    let signs = Elem(0x80000000u);
    if NUMBERS == FLOATS {
        let magnitudes = value & ~signs;
        let are_nan = magnitudes > Elem(F32_INFINITY_BITS);
        return select(magnitudes, Elem(F32_CANONICAL_NAN_BITS), are_nan);
    }
    let negative = Elem(0u) - (value >> Elem(31u));
    return select(value, (value ^ negative) - negative, NUMBERS == SIGNED);
}
