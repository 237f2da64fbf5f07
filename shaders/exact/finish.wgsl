// The end of an exact reduction: the digits become one integer, and all 0 again, so that the accumulator is
// ready for the next reduction. There is a single invocation.

// Not atomic here.
@group(0) @binding(5) var<storage, read_write> accumulator: array<u32, DIGITS + 1u>;

const LIMBS = DIGITS / 2u;

// The sum of all that is finite, in two's complement, least significant limb first; later what the result is made
// of. Not handed from function to function: compilers copy arrays that are, limb by limb.
var<private> limbs: array<u32, LIMBS>;

@compute @workgroup_size(1)
fn finish() {
    let specials = accumulator[DIGITS];
    var carry = 0u;
    for (var i = 0u; i < LIMBS; i++) {
        let even = accumulator[2u * i];
        let low = (even & 0xffffu) + carry;
        carry = arithmetic_high(even) + arithmetic_high(low);
        let odd = accumulator[2u * i + 1u];
        let high = (odd & 0xffffu) + carry;
        carry = arithmetic_high(odd) + arithmetic_high(high);
        limbs[i] = (low & 0xffffu) | (high << 16u);
    }
    if HAS_HALF_UNITS {
        let sign = select(0u, 1u, is_negative(limbs[LIMBS - 1u]));
        for (var i = 0u; i < LIMBS; i++) {
            let above = select(limbs[min(i + 1u, LIMBS - 1u)], sign, i + 1u == LIMBS);
            limbs[i] = (limbs[i] >> 1u) | (above << 31u);
        }
    }
    for (var i = 0u; i <= DIGITS; i++) {
        accumulator[i] = 0u;
    }
    exact_store(specials);
}

// A two's complement number without its last 16 bits.
fn arithmetic_high(value: u32) -> u32 {
    return bitcast<u32>(bitcast<i32>(value) >> 16u);
}
