// The variance from integers, rounded once: (n S2 - S1^2) / (n d), for the sums S1 of elements and S2 of squares.

const SQUARES_LIMBS = 20u;
const SUM_LIMBS = 10u;

// n S2 - S1^2.
var<private> numerator: array<u32, LIMBS>;

// Adds value * 2^(32 * first), of two limbs.
fn numerator_add(first: u32, value: vec2<u32>) {
    numerator_add_limb(first, value.x);
    numerator_add_limb(first + 1u, value.y);
}

fn numerator_add_limb(first: u32, value: u32) {
    var addend = value;
    for (var i = first; i < LIMBS; i++) {
        numerator[i] += addend;
        if numerator[i] >= addend {
            break;
        }
        addend = 1u;
    }
}

// Subtracts value * 2^(32 * first), of two limbs.
fn numerator_subtract(first: u32, value: vec2<u32>) {
    numerator_subtract_limb(first, value.x);
    numerator_subtract_limb(first + 1u, value.y);
}

fn numerator_subtract_limb(first: u32, value: u32) {
    var subtrahend = value;
    for (var i = first; i < LIMBS; i++) {
        let before = numerator[i];
        numerator[i] = before - subtrahend;
        if before >= subtrahend {
            break;
        }
        subtrahend = 1u;
    }
}

// The whole product, its lower half first.
fn product_of(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return vec2<u32>(
        (other << 16u) | (low & 0xffffu),
        (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u),
    );
}

fn exact_value(total: Total) -> u32 {
    let is_empty = (params.len_low | params.len_high) == 0u;
    let degrees = variance_degrees();
    if is_empty || total.specials != 0u || all(degrees == vec2<u32>()) {
        return F32_CANONICAL_NAN_BITS;
    }
    var source = total.limbs;
    // The sum's magnitude: its square does not depend on the sign.
    let negative = is_negative(source[LIMBS - 1u]);
    let flip = select(0u, 0xffffffffu, negative);
    var sum: array<u32, SUM_LIMBS>;
    var carry = flip & 1u;
    for (var i = 0u; i < SUM_LIMBS; i++) {
        let limb = (source[SQUARES_LIMBS + i] ^ flip) + carry;
        carry = select(0u, carry, limb == 0u);
        sum[i] = limb;
    }

    for (var i = 0u; i < LIMBS; i++) {
        numerator[i] = 0u;
    }
    for (var i = 0u; i < SQUARES_LIMBS; i++) {
        numerator_add(i, product_of(source[i], params.len_low));
        numerator_add(i + 1u, product_of(source[i], params.len_high));
    }
    for (var i = 0u; i < SUM_LIMBS; i++) {
        for (var j = 0u; j < SUM_LIMBS; j++) {
            numerator_subtract(i + j, product_of(sum[i], sum[j]));
        }
    }
    let low = product_of(params.len_low, degrees.x);
    // Both are less than 2^41, and the divisor less than 2^82.
    let other = product_of(params.len_low, degrees.y);
    let across = other + product_of(params.len_high, degrees.x);
    let y = low.y + across.x;
    let carries = select(0u, 1u, across.x < other.x) + select(0u, 1u, y < across.x);
    let z = across.y + carries + params.len_high * degrees.y;
    let divisor = vec3<u32>(low.x, y, z);
    return nearest(leading_quotient_bits(numerator, divisor), 150u);
}
