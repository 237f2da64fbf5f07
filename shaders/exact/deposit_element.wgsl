// The terms of a sum are the elements.

fn deposit_of_element(lane_index: u32, bits: Elem) -> Deposit {
    let parts = element_parts(bits);
    return deposit_of(lane_index, parts.position, with_sign(parts.significand, parts.negative));
}

// Takes an infinity or NaN back, and notes it.
fn deposit_special_element(lane_index: u32, bits: Elem) {
    if !is_finite(bits) {
        deposit_special(special_of(bits));
        make_deposit(deposit_of_element(lane_index, bits ^ F32_SIGN_BIT));
    }
}

// Adds elements of any kind.
fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    make_two_deposits(
        deposit_of_element(lane_index, elements.x),
        deposit_of_element(lane_index, elements.y),
    );
    make_two_deposits(
        deposit_of_element(lane_index, elements.z),
        deposit_of_element(lane_index, elements.w),
    );
    if !all_finite(elements) {
        deposit_special_element(lane_index, elements.x);
        deposit_special_element(lane_index, elements.y);
        deposit_special_element(lane_index, elements.z);
        deposit_special_element(lane_index, elements.w);
    }
}
