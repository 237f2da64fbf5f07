// The terms of a sum of squares.

struct SquareDeposits {
    lower: Deposit,
    upper: Deposit,
}

fn deposits_of_square(lane_index: u32, bits: Elem) -> SquareDeposits {
    let parts = element_parts(select(0u, bits, is_finite(bits)));
    let square = significand_product(parts.significand, parts.significand);
    return SquareDeposits(
        deposit_of(lane_index, 2u * parts.position, square.lower),
        deposit_of(lane_index, 2u * parts.position + 24u, square.upper),
    );
}

// Notes the square of an infinity or NaN.
fn deposit_special_square(bits: Elem) {
    if !is_finite(bits) {
        deposit_special(special_of(bits & ~F32_SIGN_BIT));
    }
}

fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    let x = deposits_of_square(lane_index, elements.x);
    let y = deposits_of_square(lane_index, elements.y);
    make_deposits(x.lower, x.upper, y.lower, y.upper);
    let z = deposits_of_square(lane_index, elements.z);
    let w = deposits_of_square(lane_index, elements.w);
    make_deposits(z.lower, z.upper, w.lower, w.upper);
    if !all_finite(elements) {
        deposit_special_square(elements.x);
        deposit_special_square(elements.y);
        deposit_special_square(elements.z);
        deposit_special_square(elements.w);
    }
}
