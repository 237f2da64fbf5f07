// The terms of a sum are the elements.

const FRACTION_MASK = 0x007fffffu;
const HIDDEN_BIT = 0x00800000u;

// Neither zero nor subnormal nor infinite nor NaN.
fn is_normal(bits: Elem) -> bool {
    return (bits << 1u) - (HIDDEN_BIT << 1u) < 0xfe000000u;
}

// Of a normal element; else nothing. The cell is the sign and the first bits of the exponent, the shift the others.
fn deposit_of_normal(lane_index: u32, bits: Elem) -> Deposit {
    let significand = select(0u, (bits & FRACTION_MASK) | HIDDEN_BIT, is_normal(bits));
    return deposit_of(lane_index, bits >> 28u, extractBits(bits, 23u, 5u), significand);
}

fn is_subnormal(bits: Elem) -> bool {
    return (bits << 1u) - 1u < (HIDDEN_BIT << 1u) - 1u;
}

// Of a subnormal element, which has the position of the smallest normal ones; else nothing.
fn deposit_of_subnormal(lane_index: u32, bits: Elem) -> Deposit {
    let significand = select(0u, bits & FRACTION_MASK, is_subnormal(bits));
    return deposit_of(lane_index, bits >> 28u, 1u, significand);
}

// Adds elements of any kind.
fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    make_two_deposits(
        deposit_of_normal(lane_index, elements.x),
        deposit_of_normal(lane_index, elements.y),
    );
    make_two_deposits(
        deposit_of_normal(lane_index, elements.z),
        deposit_of_normal(lane_index, elements.w),
    );
    let all_normal = is_normal(elements.x) && is_normal(elements.y)
        && is_normal(elements.z) && is_normal(elements.w);
    if !all_normal {
        deposit_others(lane_index, elements);
    }
}

// Adds those that are not normal.
fn deposit_others(lane_index: u32, elements: vec4<Elem>) {
    let specials = specials_of(elements);
    if specials != 0u {
        deposit_specials(specials);
    }
    let has_subnormal = is_subnormal(elements.x) || is_subnormal(elements.y)
        || is_subnormal(elements.z) || is_subnormal(elements.w);
    if has_subnormal {
        make_two_deposits(
            deposit_of_subnormal(lane_index, elements.x),
            deposit_of_subnormal(lane_index, elements.y),
        );
        make_two_deposits(
            deposit_of_subnormal(lane_index, elements.z),
            deposit_of_subnormal(lane_index, elements.w),
        );
    }
}
