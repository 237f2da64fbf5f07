// The terms of a sum are the elements.

// Of an element of any kind, as if infinities and NaNs were numbers.
fn deposit_of_element(lane_index: u32, bits: Elem) -> Deposit {
    let field = extractBits(bits, 23u, 8u);
    // 0 for zeros and subnormals, which have the exponent of the smallest normal numbers.
    let is_normal = min(field, 1u);
    let significand = (bits & 0x007fffffu) | (is_normal << 23u);
    // The sign, spread over a word.
    let negative = bitcast<u32>(bitcast<i32>(bits) >> 31u);
    return deposit_of(lane_index, field - is_normal, (significand ^ negative) - negative);
}

// Takes an infinity or NaN back, and notes it.
fn deposit_special_element(lane_index: u32, bits: Elem) {
    let magnitude = bits & ~F32_SIGN_BIT;
    if magnitude >= F32_INFINITY_BITS {
        let infinity = select(SPECIAL_INFINITY, SPECIAL_NEGATIVE_INFINITY, bits >= F32_SIGN_BIT);
        deposit_special(select(infinity, SPECIAL_NAN, magnitude > F32_INFINITY_BITS));
        make_deposit(deposit_of_element(lane_index, bits ^ F32_SIGN_BIT));
    }
}

// Adds elements of any kind.
fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    make_deposits(
        deposit_of_element(lane_index, elements.x),
        deposit_of_element(lane_index, elements.y),
        deposit_of_element(lane_index, elements.z),
        deposit_of_element(lane_index, elements.w),
    );
    let magnitudes = elements & vec4<u32>(~F32_SIGN_BIT);
    let largest = max(max(magnitudes.x, magnitudes.y), max(magnitudes.z, magnitudes.w));
    if largest >= F32_INFINITY_BITS {
        deposit_special_element(lane_index, elements.x);
        deposit_special_element(lane_index, elements.y);
        deposit_special_element(lane_index, elements.z);
        deposit_special_element(lane_index, elements.w);
    }
}

// The loop keeps the code short: most inputs never come here.
fn deposit_group(lane_index: u32, group: Group) {
    var rest = group;
    for (var load = 0u; load < 4u; load++) {
        deposit_elements(lane_index, rest.load0);
        rest = Group(rest.load1, rest.load2, rest.load3, rest.load0);
    }
}
