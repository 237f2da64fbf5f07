// The terms of a sum are the elements.

fn deposit_of_element(lane_index: u32, bits: Elem) -> Deposit {
    let parts = element_parts(finite_or_zero(bits));
    return deposit_of(lane_index, parts.position, with_sign(parts.significand, parts.negative));
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
        deposit_special(specials_of(elements));
    }
}
