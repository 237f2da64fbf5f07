// How the terms of exact sums get into cells.

// The terms of a sum are the elements.

@if(element) const FRACTION_MASK = 0x007fffffu;
@if(element) const HIDDEN_BIT = 0x00800000u;

// Neither zero nor subnormal nor infinite nor NaN.
@if(element) fn elem_is_normal(bits: Elem) -> bool {
    return (bits << 1u) - (HIDDEN_BIT << 1u) < 0xfe000000u;
}

// Of a normal element; else nothing. The cell is the sign and the first bits of the exponent, the shift the others.
@if(element) fn deposit_of_normal(lane_index: u32, bits: Elem) -> Deposit {
    let significand = select(0u, (bits & FRACTION_MASK) | HIDDEN_BIT, elem_is_normal(bits));
    return deposit_of(lane_index, bits >> 28u, extractBits(bits, 23u, 5u), significand);
}

@if(element) fn is_subnormal(bits: Elem) -> bool {
    return (bits << 1u) - 1u < (HIDDEN_BIT << 1u) - 1u;
}

// A subnormal element as a two's complement number, in the units of the smallest normal ones; else 0.
@if(element) fn subnormal_value(bits: Elem) -> u32 {
    let fraction = bits & FRACTION_MASK;
    let value = select(fraction, 0u - fraction, is_negative(bits));
    return select(0u, value, is_subnormal(bits));
}

// Their position is that of the smallest normal numbers.
@if(element) fn deposit_of_subnormals(lane_index: u32, value: u32) -> Deposit {
    let negative = is_negative(value);
    return deposit_of(lane_index, select(0u, 8u, negative), 1u, select(value, 0u - value, negative));
}

// Adds elements of any kind.
@if(element) fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    make_two_deposits(
        deposit_of_normal(lane_index, elements.x),
        deposit_of_normal(lane_index, elements.y),
    );
    make_two_deposits(
        deposit_of_normal(lane_index, elements.z),
        deposit_of_normal(lane_index, elements.w),
    );
    let all_normal = elem_is_normal(elements.x) & elem_is_normal(elements.y)
        & elem_is_normal(elements.z) & elem_is_normal(elements.w);
    if !all_normal {
        deposit_others(lane_index, elements);
    }
}

// Adds those that are not normal.
@if(element) fn deposit_others(lane_index: u32, elements: vec4<Elem>) {
    if !all_finite(elements) {
        deposit_specials(specials_of(elements));
    }
    let subnormals = subnormal_value(elements.x) + subnormal_value(elements.y)
        + subnormal_value(elements.z) + subnormal_value(elements.w);
    if subnormals != 0u {
        make_deposit(deposit_of_subnormals(lane_index, subnormals));
    }
}

// The terms of a sum are f64s, of two parts each: the lower 26 bits of the significand, and the other 27.

// For magnitude * 2^position, with a sign of 0, or 1 below zero.
@if(element_f64) fn deposit_of_part(lane_index: u32, sign: u32, position: u32, magnitude: u32) -> Deposit {
    let cell = sign * CELLS_OF_SIGN + (position >> 5u);
    return deposit_of(lane_index, cell, position & 31u, magnitude);
}

@if(element_f64) fn deposit_element(lane_index: u32, bits: Elem) {
    // What infinities and NaNs add does not matter: their flags do.
    let field = extractBits(bits.y, 20u, 11u);
    let high = (bits.y & 0x000fffffu) | (min(field, 1u) << 20u);
    let sign = bits.y >> 31u;
    // Subnormal numbers have the position of the smallest normal ones.
    let position = max(field, 1u);
    make_two_deposits(
        deposit_of_part(lane_index, sign, position, bits.x & 0x03ffffffu),
        deposit_of_part(lane_index, sign, position + 26u, (bits.x >> 26u) | (high << 6u)),
    );
}

// Adds elements of any kind.
@if(element_f64) fn deposit_elements(lane_index: u32, elements: Quad) {
    deposit_element(lane_index, elements.x);
    deposit_element(lane_index, elements.y);
    deposit_element(lane_index, elements.z);
    deposit_element(lane_index, elements.w);
    let specials = special_of(elements.x) | special_of(elements.y)
        | special_of(elements.z) | special_of(elements.w);
    if specials != 0u {
        deposit_specials(specials);
    }
}

// Adds a group without a window. It is loaded once more, so that it takes no registers for the few times
// that it comes here; and the loop keeps the code short.
@if(group) fn deposit_group(lane_index: u32, place: Place) {
    for (var row = 0u; row < 4u; row++) {
        deposit_elements(lane_index, vector_load(place, row));
    }
}

// The terms of sums of elements and of their squares.

@if(moments) fn deposit_moments(lane_index: u32, bits: Elem) {
    let parts = element_parts(finite_or_zero(bits));
    let sign_cell = select(0u, ELEMENTS_CELLS, parts.is_negative);
    let cell = SQUARES_CELLS + sign_cell + parts.position / BINADES_OF_CELL;
    make_two_deposits(
        deposit_of_square(lane_index, parts),
        deposit_of(lane_index, cell, parts.position % BINADES_OF_CELL, parts.significand),
    );
}

// Adds elements of any kind, and their squares.
@if(moments) fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    deposit_moments(lane_index, elements.x);
    deposit_moments(lane_index, elements.y);
    deposit_moments(lane_index, elements.z);
    deposit_moments(lane_index, elements.w);
    if !all_finite(elements) {
        deposit_specials(specials_of(elements));
    }
}

// The terms of sums of numbers and of their squares; and NaNs, which are counted.

@if(number_moments) fn deposit_moments(lane_index: u32, bits: Elem) {
    let parts = element_parts(finite_or_zero(bits));
    let sign_cell = select(0u, ELEMENTS_CELLS, parts.is_negative);
    let cell = SQUARES_CELLS + sign_cell + parts.position / BINADES_OF_CELL;
    make_two_deposits(
        deposit_of_square(lane_index, parts),
        deposit_of(lane_index, cell, parts.position % BINADES_OF_CELL, parts.significand),
    );
}

// 1 of a NaN.
@if(number_moments) fn nan_of(bits: Elem) -> u32 {
    return select(0u, 1u, special_of(bits) == SPECIAL_NAN);
}

// Adds elements of any kind, and their squares.
@if(number_moments) fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
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

// The terms of a dot product: the products of pairs.

@if(product) fn is_finite_pair(left: Elem, right: Elem) -> bool {
    return is_finite(left) & is_finite(right);
}

// Of nothing, if an element is not finite.
@if(product) fn deposit_of_pair(lane_index: u32, left: Elem, right: Elem) -> Deposit {
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
@if(product) fn special_of_pair(left: Elem, right: Elem) -> u32 {
    let x = left & ~F32_SIGN_BIT;
    let y = right & ~F32_SIGN_BIT;
    let is_nan = (max(x, y) > F32_INFINITY_BITS) | (min(x, y) == 0u);
    let infinity = ((left ^ right) & F32_SIGN_BIT) | F32_INFINITY_BITS;
    let special = special_of(select(infinity, F32_CANONICAL_NAN_BITS, is_nan));
    return select(special, 0u, is_finite_pair(left, right));
}

// Adds the products of elements of any kind.
@if(product) fn deposit_products(lane_index: u32, left: vec4<Elem>, right: vec4<Elem>) {
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

// The terms of a sum of squares.

@if(square) fn deposit_of_square(lane_index: u32, parts: ElementParts) -> Deposit {
    let square = significand_product(parts.significand, parts.significand);
    let position = 2u * parts.position;
    let cell = position / BINADES_OF_CELL;
    return deposit_of_product(lane_index, cell, position % BINADES_OF_CELL, square);
}

// Adds the squares of elements of any kind.
@if(squares) fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
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
