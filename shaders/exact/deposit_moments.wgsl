// The terms of sums of elements and of their squares.

fn deposit_moments(lane_index: u32, bits: Elem) {
    let parts = element_parts(finite_or_zero(bits));
    let sign_cell = select(0u, ELEMENTS_CELLS, parts.is_negative);
    let cell = SQUARES_CELLS + sign_cell + parts.position / BINADES_OF_CELL;
    make_two_deposits(
        deposit_of_square(lane_index, parts),
        deposit_of(lane_index, cell, parts.position % BINADES_OF_CELL, parts.significand),
    );
}

// Adds elements of any kind, and their squares.
fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    deposit_moments(lane_index, elements.x);
    deposit_moments(lane_index, elements.y);
    deposit_moments(lane_index, elements.z);
    deposit_moments(lane_index, elements.w);
    if !all_finite(elements) {
        deposit_specials(specials_of(elements));
    }
}
