// Where the workgroups' exact sums meet: digits of 16 bits, each a two's complement number with room for
// many. What it can't hold is 1 in the digit two places up. Behind them the flags for NaNs and infinities.
// All are 0 before the first dispatch of a reduction and after the last.
@group(0) @binding(5) var<storage, read_write> accumulator: array<atomic<u32>, DIGITS + 1u>;

fn accumulate_digit(digit: u32, value: u32) {
    var addend = value;
    if addend == 0u {
        return;
    }
    for (var at = digit; at < DIGITS; at += 2u) {
        let before = atomicAdd(&accumulator[at], addend);
        if !overflows(before, addend) {
            break;
        }
        addend = select(1u, 0xffffffffu, is_negative(addend));
    }
}

fn accumulate_specials(specials: u32) {
    if specials != 0u {
        atomicOr(&accumulator[DIGITS], specials);
    }
}
