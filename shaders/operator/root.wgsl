// The square root of a number of 64 bits.
struct Root {
    root: u32,
    // Whether the number is more than the square of that.
    has_rest: bool,
}

fn root_of(number_high: u32, number_low: u32) -> Root {
    var high = number_high;
    var low = number_low;
    // Two bits of the number for a bit of the root, as in writing.
    var root = 0u;
    var rest_low = 0u;
    var rest_high = 0u;
    for (var i = 0u; i < 32u; i++) {
        rest_high = (rest_high << 2u) | (rest_low >> 30u);
        rest_low = (rest_low << 2u) | (high >> 30u);
        high = (high << 2u) | (low >> 30u);
        low <<= 2u;
        let trial_low = (root << 2u) | 1u;
        let trial_high = root >> 30u;
        root <<= 1u;
        if (rest_high > trial_high) | ((rest_high == trial_high) & (rest_low >= trial_low)) {
            rest_high -= trial_high + select(0u, 1u, rest_low < trial_low);
            rest_low -= trial_low;
            root |= 1u;
        }
    }
    return Root(root, (rest_low | rest_high) != 0u);
}
