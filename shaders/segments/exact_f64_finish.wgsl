// The end of an exact sum of a segment's f64s. What is rounded is made of the lane's limbs: of those that the sum has, because most sums have few.

// The output.
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

var<private> settled: Settled;

// The result of `len` elements, of which the first word is the lower half. The lane's sum is empty then.
fn result_store(index: u32, total: Total, len: vec2<u32>, flags: u32) {
    settled = sum_settle(total);
    let value = exact_value(total.specials, len);
    result[index] = value.x;
    result[index + 1u] = value.y;
    for (var at = settled.first; at < LIMBS; at++) {
        if at >= settled.end {
            break;
        }
        limbs[at] = 0u;
    }
}

// Replaces the number by its magnitude. Returns whether it was negative. It is all of the limbs: none are asked for from another one on.
fn take_sign(first: u32) -> bool {
    let flip = settled.sign;
    var carry = flip & 1u;
    for (var at = settled.first; at < LIMBS; at++) {
        if at >= settled.end {
            break;
        }
        let limb = (limbs[at] ^ flip) + carry;
        carry = select(0u, carry, limb == 0u);
        limbs[at] = limb;
    }
    // A negative power of two with nothing but 0 in its limbs. No sum has it in the highest one.
    if (carry != 0u) & (settled.end < LIMBS) {
        limbs[settled.end] = carry;
        settled.end += 1u;
    }
    return flip != 0u;
}

fn leading_bits() -> Leading {
    var index = 0u;
    for (var at = settled.first; at < LIMBS; at++) {
        if at >= settled.end {
            break;
        }
        if limbs[at] != 0u {
            index = at;
        }
    }
    var rest = 0u;
    for (var at = settled.first; at < LIMBS; at++) {
        if at + 2u >= index {
            break;
        }
        rest |= limbs[at];
    }
    return leading_from(index, rest);
}
