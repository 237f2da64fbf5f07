// What NaNs are where an order is concerned.
override NANS: u32 = 0u;
// One of them makes an extremum NaN: its key is beyond every number's, either way round.
const NANS_WIN = 0u;
// They are no elements: their key is less than every number's, either way round. Where there is nothing else, the extremum is NaN.
const NANS_LOSE = 1u;
// They are elements as others are, in IEEE-754's total order: before -infinity, or after +infinity, by their sign, and by their bits.
const NANS_ARE_ORDERED = 2u;

// Of no elements: no element's key is less.
fn key_identity() -> Key {
    if NANS == NANS_WIN {
        return key_least();
    }
    return Key(0u);
}

// An element's key, or what takes its place if that is a NaN.
fn key_or_nan(value: Elem, key: Key) -> Key {
    if NANS == NANS_ARE_ORDERED {
        return key;
    }
    return select(key, select(KEY_ALL_BITS, Key(0u), NANS == NANS_LOSE), elem_is_nan(value));
}

// The greatest of these is the largest element's.
fn largest_key(value: Elem) -> Key {
    return key_or_nan(value, elem_key(value));
}

// The greatest of these is the smallest element's.
fn least_key(value: Elem) -> Key {
    return key_or_nan(value, ~elem_key(value));
}

// The bits of the element with the largest key.
fn largest_bits(key: Key) -> Key {
    if NANS == NANS_ARE_ORDERED {
        return key_any_bits(key);
    }
    return key_bits(key);
}

// The bits of the element with the least key.
fn least_bits(key: Key) -> Key {
    return largest_bits(~key);
}
