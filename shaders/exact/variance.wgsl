// The variance from integers, rounded once: (n S2 - S1^2) / (n d), for the sums S1 of elements and S2 of squares.

const SQUARES_LIMBS = 20u;
const SUM_LIMBS = 10u;

var<private> multiplicand: array<u32, LIMBS>;

// Adds multiplicand * factor * 2^(32 * first) to the limbs.
fn add_multiple(first: u32, factor: u32) {
    var carry = 0u;
    for (var i = first; i < LIMBS; i++) {
        let product = product_of(multiplicand[i - first], factor);
        let addend = product.x + carry;
        let sum = limbs[i] + addend;
        carry = product.y + select(0u, 1u, addend < carry) + select(0u, 1u, sum < addend);
        limbs[i] = sum;
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

fn exact_value(specials: u32, len: vec2<u32>) -> u32 {
    let is_empty = all(len == vec2<u32>());
    let degrees = variance_degrees();
    if is_empty | (specials != 0u) | all(degrees == vec2<u32>()) {
        return F32_CANONICAL_NAN_BITS;
    }
    // n S2. The square of the sum does not depend on the sum's sign.
    take_sign(SQUARES_LIMBS);
    var sum: array<u32, SUM_LIMBS>;
    for (var i = 0u; i < SUM_LIMBS; i++) {
        sum[i] = limbs[SQUARES_LIMBS + i];
    }
    for (var i = 0u; i < LIMBS; i++) {
        multiplicand[i] = select(0u, limbs[i], i < SQUARES_LIMBS);
        limbs[i] = 0u;
    }
    add_multiple(0u, len.x);
    add_multiple(1u, len.y);

    // S1^2 is subtracted: a - b is ~(~a + b).
    for (var i = 0u; i < LIMBS; i++) {
        limbs[i] = ~limbs[i];
        multiplicand[i] = select(0u, sum[min(i, SUM_LIMBS - 1u)], i < SUM_LIMBS);
    }
    for (var i = 0u; i < SUM_LIMBS; i++) {
        add_multiple(i, sum[i]);
    }
    for (var i = 0u; i < LIMBS; i++) {
        limbs[i] = ~limbs[i];
    }

    let low = product_of(len.x, degrees.x);
    // Both are less than 2^41, and the divisor less than 2^82.
    let other = product_of(len.x, degrees.y);
    let across = other + product_of(len.y, degrees.x);
    let y = low.y + across.x;
    let carries = select(0u, 1u, across.x < other.x) + select(0u, 1u, y < across.x);
    let z = across.y + carries + len.y * degrees.y;
    return nearest(leading_quotient_bits(vec3<u32>(low.x, y, z)), 150u);
}

// Of all numbers there are.
@if(of_numbers) fn variance_degrees() -> vec2<u32> {
    return numbers;
}

// Of all there are: n.
@if(population) fn variance_degrees() -> vec2<u32> {
    return vec2<u32>(params.len_low, params.len_high);
}

// Of a sample: n - 1.
@if(sample) fn variance_degrees() -> vec2<u32> {
    return vec2<u32>(params.len_low - 1u, params.len_high - select(0u, 1u, params.len_low == 0u));
}

// Of a sample: one less than there are numbers.
@if(sample_of_numbers) fn variance_degrees() -> vec2<u32> {
    return vec2<u32>(numbers.x - 1u, numbers.y - select(0u, 1u, numbers.x == 0u));
}
