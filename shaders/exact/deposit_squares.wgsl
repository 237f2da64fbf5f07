// Adds the squares of elements of any kind.
fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    make_two_deposits(
        deposit_of_square(lane_index, element_parts(finite_or_zero(elements.x))),
        deposit_of_square(lane_index, element_parts(finite_or_zero(elements.y))),
    );
    make_two_deposits(
        deposit_of_square(lane_index, element_parts(finite_or_zero(elements.z))),
        deposit_of_square(lane_index, element_parts(finite_or_zero(elements.w))),
    );
    if !all_finite(elements) {
        deposit_specials(specials_of(elements & vec4<u32>(~F32_SIGN_BIT)));
    }
}
