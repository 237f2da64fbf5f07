// The terms of a sum are the elements.

// Adds an element of any kind.
fn deposit_element(lane_index: u32, bits: Elem) {
    let field = extractBits(bits, 23u, 8u);
    if field == 255u {
        let is_nan = (bits & 0x007fffffu) != 0u;
        let infinity = select(SPECIAL_INFINITY, SPECIAL_NEGATIVE_INFINITY, bits >= F32_SIGN_BIT);
        deposit_special(select(infinity, SPECIAL_NAN, is_nan));
        return;
    }
    // 0 for zeros and subnormals, which have the exponent of the smallest normal numbers.
    let is_normal = min(field, 1u);
    let significand = (bits & 0x007fffffu) | (is_normal << 23u);
    // The sign, spread over a word.
    let negative = bitcast<u32>(bitcast<i32>(bits) >> 31u);
    deposit(lane_index, field - is_normal, (significand ^ negative) - negative);
}

fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    deposit_element(lane_index, elements.x);
    deposit_element(lane_index, elements.y);
    deposit_element(lane_index, elements.z);
    deposit_element(lane_index, elements.w);
}

// The loop keeps the code short: most inputs never come here.
fn deposit_group(lane_index: u32, group: Group) {
    var rest = group;
    for (var load = 0u; load < 4u; load++) {
        deposit_elements(lane_index, rest.load0);
        rest = Group(rest.load1, rest.load2, rest.load3, rest.load0);
    }
}
