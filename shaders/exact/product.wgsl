// The product of two significands, whole.
struct Product {
    low: u32,
    high: u32,
}

fn significand_product(x: u32, y: u32) -> Product {
    let x_high = x >> 12u;
    let x_low = x & 0xfffu;
    let y_high = y >> 12u;
    let y_low = y & 0xfffu;
    // At most 25 bits, of which 20 belong to the lower word.
    let middle = x_high * y_low + x_low * y_high;
    let upper = x_high * y_high;
    let part = (middle << 12u) + x_low * y_low;
    let low = part + (upper << 24u);
    let carry = select(0u, 1u, part < (middle << 12u)) + select(0u, 1u, low < part);
    return Product(low, (upper >> 8u) + (middle >> 20u) + carry);
}

// Sums of products in registers, for most elements of most inputs: those within 16 binades, a window. In it an element is
// an integer of 39 bits in three digits of 13, so that products of digits have 26 bits. Only 24 bits of the 39 are not 0:
// so 16 pairs' sums of such products, of which an order has up to three for a pair, fit 31 bits and a sign. Nothing but integers.

@if(sums) const WINDOW_BINADES = 16u;
@if(sums) const DIGIT_BITS = 13u;
@if(sums) const DIGIT_MASK = 0x1fffu;

// A window's first exponent field: 1 is the lowest of normal numbers. The sums of the highest window have places in the
// cells.
@if(sums) const MAX_FIRST = 230u;

// A window for elements up to this exponent field, with a binade to spare.
@if(sums) fn window_first(field: u32) -> u32 {
    return clamp(field + 2u, WINDOW_BINADES + 1u, WINDOW_BINADES + MAX_FIRST) - WINDOW_BINADES;
}

// How far above the first binade of a window elements lie; what is below it wraps around.
@if(sums) fn places_in_window(elements: vec4<Elem>, first: u32) -> vec4<u32> {
    return ((elements >> vec4<u32>(23u)) & vec4<u32>(0xffu)) - vec4<u32>(first);
}

@if(sums) fn largest_of(values: vec4<u32>) -> u32 {
    return max(max(values.x, values.y), max(values.z, values.w));
}

// The largest exponent field of what is finite.
@if(sums) fn largest_field(elements: vec4<Elem>) -> u32 {
    let fields = (elements >> vec4<u32>(23u)) & vec4<u32>(0xffu);
    return largest_of(select(fields, vec4<u32>(), fields == vec4<u32>(0xffu)));
}

// A zero is 0 in any place.
@if(sums) fn are_zero(elements: vec4<Elem>) -> vec4<bool> {
    return (elements << vec4<u32>(1u)) == vec4<u32>();
}

@if(sums) fn places_with_zeros(elements: vec4<Elem>, first: u32) -> vec4<u32> {
    return select(places_in_window(elements, first), vec4<u32>(), are_zero(elements));
}

// Of what is not subnormal.
@if(sums) fn significands(elements: vec4<Elem>) -> vec4<u32> {
    return (elements & vec4<u32>(0x007fffffu)) | vec4<u32>(0x00800000u);
}

@if(sums) fn significands_with_zeros(elements: vec4<Elem>) -> vec4<u32> {
    return select(significands(elements), vec4<u32>(), are_zero(elements));
}

// A significand shifted to its place, without the sign.
@if(sums) struct Digits {
    low: i32,
    middle: i32,
    high: i32,
}

@if(sums) fn digits_of(significand: u32, place: u32) -> Digits {
    let lower = significand << place;
    return Digits(
        bitcast<i32>(lower & DIGIT_MASK),
        bitcast<i32>((lower >> DIGIT_BITS) & DIGIT_MASK),
        bitcast<i32>(significand >> (2u * DIGIT_BITS - place)),
    );
}

// Sums of products of digits: number i is worth 2^(13 i).
@if(sums) struct Orders {
    order0: i32,
    order1: i32,
    order2: i32,
    order3: i32,
    order4: i32,
}

// Sums of such sums, of their lower 16 bits and of their upper ones.
@if(sums) struct ProductSums {
    lower: Orders,
    upper: Orders,
    // Of how many groups they are.
    groups: u32,
}

// So many that eight times an upper sum fits.
@if(sums) const MAX_GROUPS = 4096u;

@if(sums) fn no_product_sums() -> ProductSums {
    return ProductSums(Orders(0, 0, 0, 0, 0), Orders(0, 0, 0, 0, 0), 0u);
}

@if(sums) fn orders_sum(a: Orders, b: Orders) -> Orders {
    return Orders(
        a.order0 + b.order0,
        a.order1 + b.order1,
        a.order2 + b.order2,
        a.order3 + b.order3,
        a.order4 + b.order4,
    );
}

// With the orders of a group of 16 products.
@if(sums) fn product_sums_with(sums: ProductSums, orders: Orders) -> ProductSums {
    let lower = Orders(
        orders.order0 & 0xffff,
        orders.order1 & 0xffff,
        orders.order2 & 0xffff,
        orders.order3 & 0xffff,
        orders.order4 & 0xffff,
    );
    let upper = Orders(
        orders.order0 >> 16u,
        orders.order1 >> 16u,
        orders.order2 >> 16u,
        orders.order3 >> 16u,
        orders.order4 >> 16u,
    );
    return ProductSums(
        orders_sum(sums.lower, lower),
        orders_sum(sums.upper, upper),
        sums.groups + 1u,
    );
}

@if(sums) fn orders_negated(a: Orders) -> Orders {
    return Orders(-a.order0, -a.order1, -a.order2, -a.order3, -a.order4);
}

// The same sum with what is above 13 bits of each order carried to the next: five digits, and the rest above them.
@if(sums) struct Carried {
    digits: array<u32, 5>,
    rest: i32,
}

@if(sums) fn carried(sums: ProductSums) -> Carried {
    let order1 = sums.lower.order1 + 8 * sums.upper.order0 + (sums.lower.order0 >> DIGIT_BITS);
    let order2 = sums.lower.order2 + 8 * sums.upper.order1 + (order1 >> DIGIT_BITS);
    let order3 = sums.lower.order3 + 8 * sums.upper.order2 + (order2 >> DIGIT_BITS);
    let order4 = sums.lower.order4 + 8 * sums.upper.order3 + (order3 >> DIGIT_BITS);
    return Carried(
        array<u32, 5>(
            bitcast<u32>(sums.lower.order0) & DIGIT_MASK,
            bitcast<u32>(order1) & DIGIT_MASK,
            bitcast<u32>(order2) & DIGIT_MASK,
            bitcast<u32>(order3) & DIGIT_MASK,
            bitcast<u32>(order4) & DIGIT_MASK,
        ),
        8 * sums.upper.order4 + (order4 >> DIGIT_BITS),
    );
}

@if(sums) fn deposit_at(lane_index: u32, sign_cell: u32, position: u32, magnitude: Product) -> Deposit {
    let cell = sign_cell + position / BINADES_OF_CELL;
    return deposit_of_product(lane_index, cell, position % BINADES_OF_CELL, magnitude);
}

// Moves the sums to the cells; the position is that of order 0.
@if(sums) fn product_sums_flush(lane_index: u32, sums: ProductSums, position: u32) {
    if sums.groups == 0u {
        return;
    }
    var magnitude = sums;
    var sign_cell = 0u;
    if carried(sums).rest < 0 {
        magnitude = ProductSums(orders_negated(sums.lower), orders_negated(sums.upper), 0u);
        // Only where products can be negative.
        sign_cell = CELLS / 2u;
    }
    let total = carried(magnitude);
    let digits = total.digits;
    let rest = bitcast<u32>(total.rest);
    make_two_deposits(
        deposit_at(lane_index, sign_cell, position, Product(digits[0] | (digits[1] << DIGIT_BITS), 0u)),
        deposit_at(
            lane_index,
            sign_cell,
            position + 2u * DIGIT_BITS,
            Product(digits[2] | (digits[3] << DIGIT_BITS), 0u),
        ),
    );
    make_deposit(deposit_at(
        lane_index,
        sign_cell,
        position + 4u * DIGIT_BITS,
        Product(digits[4] | (rest << DIGIT_BITS), rest >> (32u - DIGIT_BITS)),
    ));
}

// A window moves to elements above it, and now and then to those of a group of which it held nothing.
@if(sums) const MISSES_TO_MOVE = 16u;

@if(sums) fn window_moves(first: u32, field: u32, misses: u32) -> bool {
    let is_above = field >= first + WINDOW_BINADES;
    return (window_first(field) != first) & (is_above | (misses % MISSES_TO_MOVE == 1u));
}
