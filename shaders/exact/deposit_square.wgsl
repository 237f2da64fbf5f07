// The terms of a sum of squares.

fn deposit_of_square(lane_index: u32, bits: Elem) -> Deposit {
    let parts = element_parts(finite_or_zero(bits));
    let square = significand_product(parts.significand, parts.significand);
    return deposit_of_wide(lane_index, 2u * parts.position, square.low, square.high);
}

// Adds the squares of elements of any kind.
fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    make_two_deposits(
        deposit_of_square(lane_index, elements.x),
        deposit_of_square(lane_index, elements.y),
    );
    make_two_deposits(
        deposit_of_square(lane_index, elements.z),
        deposit_of_square(lane_index, elements.w),
    );
    if !all_finite(elements) {
        deposit_special(specials_of(elements & vec4<u32>(~F32_SIGN_BIT)));
    }
}
