// The terms of a sum of squares.

fn deposit_of_square(lane_index: u32, bits: Elem) -> Deposit {
    let parts = element_parts(bits);
    let square = significand_product(parts.significand, parts.significand);
    return deposit_of_wide(lane_index, 2u * parts.position, square.low, square.high);
}

// Takes the square of an infinity or NaN back, and notes it.
fn deposit_special_square(lane_index: u32, bits: Elem) {
    if !is_finite(bits) {
        deposit_special(special_of(bits & ~F32_SIGN_BIT));
        let taken = deposit_of_square(lane_index, bits);
        let low = 0u - taken.low;
        make_deposit(Deposit(taken.at, low, ~taken.high + select(0u, 1u, low == 0u)));
    }
}

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
        deposit_special_square(lane_index, elements.x);
        deposit_special_square(lane_index, elements.y);
        deposit_special_square(lane_index, elements.z);
        deposit_special_square(lane_index, elements.w);
    }
}
