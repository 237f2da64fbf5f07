// The first QUOTIENT_BITS bits, 32 or 64, of 2 N / D, for the limbs N and D of 96 bits, by long division: place 1 is a unit.
// D is not 0 and less than 2^95.
fn leading_quotient_bits(divisor: vec3<u32>) -> Leading {
    var rest = vec3<u32>();
    // The low word first.
    var quotient = vec2<u32>();
    var place = 0u;
    let bits = 32u * LIMBS + 1u;
    // Nothing before the highest bit.
    let skipped = bits - 1u - min(leading_bits().place, bits - 2u) - 1u;
    for (var i = skipped; i < bits; i++) {
        let at = bits - 1u - i;
        var bit = 0u;
        if at != 0u {
            bit = (limbs[(at - 1u) >> 5u] >> ((at - 1u) & 31u)) & 1u;
        }
        rest = vec3<u32>(
            (rest.x << 1u) | bit,
            (rest.y << 1u) | (rest.x >> 31u),
            (rest.z << 1u) | (rest.y >> 31u),
        );
        let fits = at_least(rest, divisor);
        if fits {
            rest = difference(rest, divisor);
        }
        if all(quotient == vec2<u32>()) & fits {
            place = at;
        }
        quotient = vec2<u32>(
            (quotient.x << 1u) | select(0u, 1u, fits),
            (quotient.y << 1u) | (quotient.x >> 31u),
        );
        if is_negative(select(quotient.x, quotient.y, QUOTIENT_BITS == 64u)) {
            // All of them. What is left of N, and of the division, is less than the last of them.
            let has_rest = any(rest != vec3<u32>()) | any_below(max(at, 1u) - 1u);
            return quotient_bits(quotient, place, has_rest);
        }
    }
    return quotient_bits(quotient, place, any(rest != vec3<u32>()));
}

// To the left, as other leading bits.
fn quotient_bits(quotient: vec2<u32>, place: u32, has_rest: bool) -> Leading {
    let is_short = quotient.y == 0u;
    let high = select(quotient.y, quotient.x, is_short);
    let low = select(quotient.x, 0u, is_short);
    let shift = countLeadingZeros(high) & 31u;
    return Leading(upper_of_shifted(high, low, shift), low << shift, place, has_rest);
}

fn at_least(a: vec3<u32>, b: vec3<u32>) -> bool {
    if a.z != b.z {
        return a.z > b.z;
    }
    if a.y != b.y {
        return a.y > b.y;
    }
    return a.x >= b.x;
}

// a - b, where a is at least b.
fn difference(a: vec3<u32>, b: vec3<u32>) -> vec3<u32> {
    let borrow_x = select(0u, 1u, a.x < b.x);
    let y = a.y - b.y;
    let borrow_y = select(0u, 1u, (a.y < b.y) | ((y == 0u) & (borrow_x == 1u)));
    return vec3<u32>(a.x - b.x, y - borrow_x, a.z - b.z - borrow_y);
}

// Whether a bit below `end` is set.
fn any_below(end: u32) -> bool {
    var found = 0u;
    for (var i = 0u; i < LIMBS; i++) {
        if i < (end >> 5u) {
            found |= limbs[i];
        }
    }
    return (found != 0u) | ((limbs[min(end >> 5u, LIMBS - 1u)] & ((1u << (end & 31u)) - 1u)) != 0u);
}
