// The end of an exact reduction: the copies of the accumulator become one integer, and all 0 again, so that they are
// ready for the next reduction. There is a single workgroup, with an invocation for each word of a copy, and some more.

// Not atomic here.
@group(0) @binding(5) var<storage, read_write> accumulator: array<u32, COPIES * COPY_WORDS>;

// More than the digits.
const FINISH_LANES = (DIGITS / 64u + 1u) * 64u;

// Sums over the copies: of the digits' lower halves, and of the upper halves, which belong to the next digit.
var<workgroup> lower_sums: array<u32, FINISH_LANES>;
var<workgroup> upper_sums: array<u32, FINISH_LANES>;
var<workgroup> all_specials: u32;

const LIMBS = DIGITS / 2u;

// The sum of all that is finite, in two's complement, least significant limb first; later what the result is made
// of. Not handed from function to function: compilers copy arrays that are, limb by limb.
var<private> limbs: array<u32, LIMBS>;

@compute @workgroup_size(FINISH_LANES)
fn finish(@builtin(local_invocation_index) word: u32) {
    var lower = 0u;
    var upper = 0u;
    var flags = 0u;
    if word <= DIGITS {
        for (var copy = 0u; copy < COPIES; copy++) {
            let value = accumulator[copy * COPY_WORDS + word];
            accumulator[copy * COPY_WORDS + word] = 0u;
            lower += value & 0xffffu;
            upper += arithmetic_high(value);
            flags |= value;
        }
    }
    lower_sums[word] = lower;
    upper_sums[word] = upper;
    if word == DIGITS {
        all_specials = flags;
    }
    workgroupBarrier();
    if word == 0u {
        take_limbs();
        exact_store(all_specials);
    }
}

fn take_limbs() {
    var carry = 0u;
    for (var i = 0u; i < LIMBS; i++) {
        let low = lower_sums[2u * i] + carry;
        let high = lower_sums[2u * i + 1u] + upper_sums[2u * i] + arithmetic_high(low);
        carry = upper_sums[2u * i + 1u] + arithmetic_high(high);
        limbs[i] = (low & 0xffffu) | (high << 16u);
    }
    if HAS_HALF_UNITS {
        let sign = select(0u, 1u, is_negative(limbs[LIMBS - 1u]));
        for (var i = 0u; i < LIMBS; i++) {
            let above = select(limbs[min(i + 1u, LIMBS - 1u)], sign, i + 1u == LIMBS);
            limbs[i] = (limbs[i] >> 1u) | (above << 31u);
        }
    }
}

// A two's complement number without its last 16 bits.
fn arithmetic_high(value: u32) -> u32 {
    return bitcast<u32>(bitcast<i32>(value) >> 16u);
}
