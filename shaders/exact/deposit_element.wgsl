// The terms of a sum are the elements.

// Adds an element, whatever it is.
fn deposit_element(bits: Elem) {
    let magnitude = bits & ~F32_SIGN_BIT;
    let negative = bits >> 31u;
    if magnitude >= F32_INFINITY_BITS {
        let infinity = SPECIAL_INFINITY << negative;
        deposit_special(select(infinity, SPECIAL_NAN, magnitude > F32_INFINITY_BITS));
        return;
    }
    if magnitude != 0u {
        let field = magnitude >> 23u;
        let significand = (magnitude & 0x007fffffu) | select(0u, 0x00800000u, field != 0u);
        deposit(max(field, 1u) - 1u, (significand ^ (0u - negative)) + negative);
    }
}

fn deposit_elements(elements: vec4<Elem>) {
    deposit_element(elements.x);
    deposit_element(elements.y);
    deposit_element(elements.z);
    deposit_element(elements.w);
}

fn deposit_rows(rows: Rows) {
    deposit_elements(rows.row0);
    deposit_elements(rows.row1);
    deposit_elements(rows.row2);
    deposit_elements(rows.row3);
}
