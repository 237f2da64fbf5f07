// Where the workgroups' exact sums meet.
@group(0) @binding(5) var<storage, read_write> accumulator: array<atomic<u32>, COPIES * COPY_WORDS>;

// The first word of a workgroup's copy.
fn accumulator_copy(workgroup_index: u32) -> u32 {
    return workgroup_index % COPIES * COPY_WORDS;
}

// What a digit can't hold is 1 in the digit two places up.
fn accumulate_digit(copy: u32, digit: u32, value: u32) {
    var addend = value;
    if addend == 0u {
        return;
    }
    for (var at = digit; at < DIGITS; at += 2u) {
        let before = atomicAdd(&accumulator[copy + at], addend);
        if !overflows(before, addend) {
            break;
        }
        addend = select(1u, 0xffffffffu, is_negative(addend));
    }
}

fn accumulate_specials(copy: u32, specials: u32) {
    if specials != 0u {
        atomicOr(&accumulator[copy + DIGITS], specials);
    }
}
