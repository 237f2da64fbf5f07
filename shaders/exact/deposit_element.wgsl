// The terms of a sum are the elements.

const FRACTION_MASK = 0x007fffffu;
const HIDDEN_BIT = 0x00800000u;

// Neither zero nor subnormal nor infinite nor NaN.
fn elem_is_normal(bits: Elem) -> bool {
    return (bits << 1u) - (HIDDEN_BIT << 1u) < 0xfe000000u;
}

// Of a normal element; else nothing. The cell is the sign and the first bits of the exponent, the shift the others.
fn deposit_of_normal(lane_index: u32, bits: Elem) -> Deposit {
    let significand = select(0u, (bits & FRACTION_MASK) | HIDDEN_BIT, elem_is_normal(bits));
    return deposit_of(lane_index, bits >> 28u, extractBits(bits, 23u, 5u), significand);
}

fn is_subnormal(bits: Elem) -> bool {
    return (bits << 1u) - 1u < (HIDDEN_BIT << 1u) - 1u;
}

// A subnormal element as a two's complement number, in the units of the smallest normal ones; else 0.
fn subnormal_value(bits: Elem) -> u32 {
    let fraction = bits & FRACTION_MASK;
    let value = select(fraction, 0u - fraction, is_negative(bits));
    return select(0u, value, is_subnormal(bits));
}

// Their position is that of the smallest normal numbers.
fn deposit_of_subnormals(lane_index: u32, value: u32) -> Deposit {
    let negative = is_negative(value);
    return deposit_of(lane_index, select(0u, 8u, negative), 1u, select(value, 0u - value, negative));
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
    let all_normal = elem_is_normal(elements.x) & elem_is_normal(elements.y)
        & elem_is_normal(elements.z) & elem_is_normal(elements.w);
    if !all_normal {
        deposit_others(lane_index, elements);
    }
}

// Adds those that are not normal.
fn deposit_others(lane_index: u32, elements: vec4<Elem>) {
    if !all_finite(elements) {
        deposit_specials(specials_of(elements));
    }
    let subnormals = subnormal_value(elements.x) + subnormal_value(elements.y)
        + subnormal_value(elements.z) + subnormal_value(elements.w);
    if subnormals != 0u {
        make_deposit(deposit_of_subnormals(lane_index, subnormals));
    }
}
