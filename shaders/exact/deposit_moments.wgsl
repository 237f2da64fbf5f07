// The terms of sums of elements and of their squares.

fn deposit_of_square(lane_index: u32, parts: ElementParts) -> Deposit {
    let square = significand_product(parts.significand, parts.significand);
    return deposit_of_wide(lane_index, 2u * parts.position, square.low, square.high);
}

fn deposit_moments(lane_index: u32, bits: Elem) {
    let parts = element_parts(finite_or_zero(bits));
    let value = with_sign(parts.significand, parts.negative);
    make_two_deposits(
        deposit_of_square(lane_index, parts),
        deposit_of(lane_index, SUM_POSITION + parts.position, value),
    );
}

// Adds elements of any kind, and their squares.
fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    deposit_moments(lane_index, elements.x);
    deposit_moments(lane_index, elements.y);
    deposit_moments(lane_index, elements.z);
    deposit_moments(lane_index, elements.w);
    if !all_finite(elements) {
        deposit_special(specials_of(elements));
    }
}
