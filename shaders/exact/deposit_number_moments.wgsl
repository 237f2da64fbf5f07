// The terms of sums of numbers and of their squares; and NaNs, which are counted.

fn deposit_moments(lane_index: u32, bits: Elem) {
    let parts = element_parts(finite_or_zero(bits));
    let sign_cell = select(0u, ELEMENTS_CELLS, parts.is_negative);
    let cell = SQUARES_CELLS + sign_cell + parts.position / BINADES_OF_CELL;
    make_two_deposits(
        deposit_of_square(lane_index, parts),
        deposit_of(lane_index, cell, parts.position % BINADES_OF_CELL, parts.significand),
    );
}

// 1 of a NaN.
fn nan_of(bits: Elem) -> u32 {
    return select(0u, 1u, special_of(bits) == SPECIAL_NAN);
}

// Adds elements of any kind, and their squares.
fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    deposit_moments(lane_index, elements.x);
    deposit_moments(lane_index, elements.y);
    deposit_moments(lane_index, elements.z);
    deposit_moments(lane_index, elements.w);
    if !all_finite(elements) {
        deposit_specials(specials_of(elements) & ~SPECIAL_NAN);
        let nans = nan_of(elements.x) + nan_of(elements.y) + nan_of(elements.z) + nan_of(elements.w);
        make_deposit(deposit_of(lane_index, NANS_CELL, 0u, nans));
    }
}
