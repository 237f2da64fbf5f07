// A finite element is significand * 2^position units of 2^-149, with the sign.
@if(parts) struct ElementParts {
    significand: u32,
    position: u32,
    is_negative: bool,
}

@if(parts) fn element_parts(bits: Elem) -> ElementParts {
    let field = extractBits(bits, 23u, 8u);
    // 0 for zeros and subnormals, which have the exponent of the smallest normal numbers.
    let is_normal = min(field, 1u);
    return ElementParts(
        (bits & 0x007fffffu) | (is_normal << 23u),
        field - is_normal,
        bits >= F32_SIGN_BIT,
    );
}

// The element, or 0 for an infinity or NaN.
@if(parts) fn finite_or_zero(bits: Elem) -> Elem {
    return select(0u, bits, is_finite(bits));
}

// Sums of the elements that a window of squares holds, by the same digits: number i is worth 2^(13 i). So many groups as a window of squares
// takes fit 29 bits and a sign.
@if(sums) struct ElementSums {
    low: i32,
    middle: i32,
    high: i32,
}

@if(sums) fn no_element_sums() -> ElementSums {
    return ElementSums(0, 0, 0);
}

@if(sums) fn signed_digits(element: Elem, significand: u32, place: u32) -> Digits {
    let digits = digits_of(significand, place);
    // All ones of a negative element: then this negates.
    let sign = bitcast<i32>(element) >> 31u;
    return Digits((digits.low ^ sign) - sign, (digits.middle ^ sign) - sign, (digits.high ^ sign) - sign);
}

@if(sums) fn element_sums_with(
    sums: ElementSums,
    elements: vec4<Elem>,
    significands: vec4<u32>,
    places: vec4<u32>,
) -> ElementSums {
    let x = signed_digits(elements.x, significands.x, places.x);
    let y = signed_digits(elements.y, significands.y, places.y);
    let z = signed_digits(elements.z, significands.z, places.z);
    let w = signed_digits(elements.w, significands.w, places.w);
    return ElementSums(
        sums.low + x.low + y.low + z.low + w.low,
        sums.middle + x.middle + y.middle + z.middle + w.middle,
        sums.high + x.high + y.high + z.high + w.high,
    );
}

// The same sum with what is above 13 bits of a digit carried to the next: only the highest can be negative.
@if(sums) fn element_sums_carried(sums: ElementSums) -> ElementSums {
    let middle = sums.middle + (sums.low >> DIGIT_BITS);
    let mask = bitcast<i32>(DIGIT_MASK);
    return ElementSums(sums.low & mask, middle & mask, sums.high + (middle >> DIGIT_BITS));
}

// Moves the sums to the cells; the position is that of the lowest digit.
@if(sums) fn element_sums_flush(lane_index: u32, sums: ElementSums, position: u32) {
    var total = element_sums_carried(sums);
    var sign_cell = SQUARES_CELLS;
    if total.high < 0 {
        total = element_sums_carried(ElementSums(-sums.low, -sums.middle, -sums.high));
        sign_cell += ELEMENTS_CELLS;
    }
    make_two_deposits(
        deposit_at(lane_index, sign_cell, position, Product(bitcast<u32>(total.low | (total.middle << DIGIT_BITS)), 0u)),
        deposit_at(lane_index, sign_cell, position + 2u * DIGIT_BITS, Product(bitcast<u32>(total.high), 0u)),
    );
}

// Of squares alone.
@if(none) alias ElementSums = u32;

@if(none) fn no_element_sums() -> ElementSums {
    return 0u;
}

@if(none) fn element_sums_with(
    sums: ElementSums,
    elements: vec4<Elem>,
    significands: vec4<u32>,
    places: vec4<u32>,
) -> ElementSums {
    return sums;
}

@if(none) fn element_sums_flush(lane_index: u32, sums: ElementSums, position: u32) {}
