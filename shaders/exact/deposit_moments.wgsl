// The terms of sums of elements and of their squares.

fn deposit_moments(lane_index: u32, bits: Elem) {
    if !is_finite(bits) {
        deposit_special(special_of(bits));
        return;
    }
    let parts = element_parts(bits);
    let square = significand_product(parts.significand, parts.significand);
    let value = with_sign(parts.significand, parts.negative);
    make_deposit(deposit_of_wide(lane_index, 2u * parts.position, square.low, square.high));
    make_deposit(deposit_of(lane_index, SUM_POSITION + parts.position, value));
}

fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    deposit_moments(lane_index, elements.x);
    deposit_moments(lane_index, elements.y);
    deposit_moments(lane_index, elements.z);
    deposit_moments(lane_index, elements.w);
}
