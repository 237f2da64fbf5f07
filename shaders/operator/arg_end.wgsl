// Which end of the order is meant.
override TAKES_LEAST: bool = false;

fn arg_key(value: Elem) -> Key {
    if TAKES_LEAST {
        return least_key(value);
    }
    return largest_key(value);
}

fn arg_bits(key: Key) -> Key {
    if TAKES_LEAST {
        return least_bits(key);
    }
    return largest_bits(key);
}
