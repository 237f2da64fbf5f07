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

// The layout of an exact accumulator in memory: digits of 16 bits, each a two's complement number with room for
// many, and behind them the flags for NaNs and infinities. All are 0 before the first dispatch of a reduction and
// after the last.
//
// Atomics on the same lines of memory wait for each other. So there are copies, in lines of their own, which the
// workgroups take in turn.
@if(copies) const COPIES = 16u;
@if(copies) const LINE_WORDS = 32u;
@if(copies) const COPY_WORDS = (DIGITS + LINE_WORDS) / LINE_WORDS * LINE_WORDS;

// The output is the accumulator itself, in the words of its bytes: limbs, flags, number of elements.
@if(store) @group(0) @binding(4) var<storage, read_write> result: array<u32>;

@if(store) fn exact_store(specials: u32) {
    for (var i = 0u; i < LIMBS; i++) {
        result[params.result_index + i] = limbs[i];
    }
    result[params.result_index + LIMBS] = specials;
    result[params.result_index + LIMBS + 1u] = params.len_low;
    result[params.result_index + LIMBS + 2u] = params.len_high;
}
