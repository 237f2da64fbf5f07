// The terms of a dot product: the products of pairs.

fn is_finite_pair(left: Elem, right: Elem) -> bool {
    return is_finite(left) & is_finite(right);
}

// Of nothing, if an element is not finite.
fn deposit_of_pair(lane_index: u32, left: Elem, right: Elem) -> Deposit {
    let finite = is_finite_pair(left, right);
    let x = element_parts(select(0u, left, finite));
    let y = element_parts(select(0u, right, finite));
    let position = x.position + y.position;
    let sign_cell = ((left ^ right) >> 31u) * (CELLS / 2u);
    return deposit_of_product(
        lane_index,
        sign_cell + position / BINADES_OF_CELL,
        position % BINADES_OF_CELL,
        significand_product(x.significand, y.significand),
    );
}

// The flag of a product with an infinity or NaN, else none: NaN if the other factor is 0 or NaN.
fn special_of_pair(left: Elem, right: Elem) -> u32 {
    let x = left & ~F32_SIGN_BIT;
    let y = right & ~F32_SIGN_BIT;
    let is_nan = (max(x, y) > F32_INFINITY_BITS) | (min(x, y) == 0u);
    let infinity = ((left ^ right) & F32_SIGN_BIT) | F32_INFINITY_BITS;
    let special = special_of(select(infinity, F32_CANONICAL_NAN_BITS, is_nan));
    return select(special, 0u, is_finite_pair(left, right));
}

// Adds the products of elements of any kind.
fn deposit_products(lane_index: u32, left: vec4<Elem>, right: vec4<Elem>) {
    make_two_deposits(
        deposit_of_pair(lane_index, left.x, right.x),
        deposit_of_pair(lane_index, left.y, right.y),
    );
    make_two_deposits(
        deposit_of_pair(lane_index, left.z, right.z),
        deposit_of_pair(lane_index, left.w, right.w),
    );
    if !(all_finite(left) & all_finite(right)) {
        deposit_specials(
            special_of_pair(left.x, right.x) | special_of_pair(left.y, right.y)
                | special_of_pair(left.z, right.z) | special_of_pair(left.w, right.w),
        );
    }
}
