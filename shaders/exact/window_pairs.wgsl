// Windows for dot products: one for the elements on the left, one for those on the right.

struct PairsWindow {
    // The first exponent fields in them.
    left_first: u32,
    right_first: u32,
    // Groups in a row of which they held nothing.
    misses: u32,
    sums: ProductSums,
}

fn orders_with_pair(
    orders: Orders,
    signs: u32,
    significands: vec2<u32>,
    places: vec2<u32>,
) -> Orders {
    let x = digits_of(significands.x, places.x);
    let magnitude = digits_of(significands.y, places.y);
    // 1 or -1.
    let sign = (bitcast<i32>(signs) >> 31u) | 1;
    let y = Digits(sign * magnitude.low, sign * magnitude.middle, sign * magnitude.high);
    return Orders(
        orders.order0 + x.low * y.low,
        orders.order1 + x.low * y.middle + x.middle * y.low,
        orders.order2 + x.low * y.high + x.middle * y.middle + x.high * y.low,
        orders.order3 + x.middle * y.high + x.high * y.middle,
        orders.order4 + x.high * y.high,
    );
}

// One side's elements of four pairs.
struct Side {
    significands: vec4<u32>,
    places: vec4<u32>,
}

// The first bit of each of the signs is that of a product.
fn orders_with_pairs(orders: Orders, signs: vec4<u32>, x: Side, y: Side) -> Orders {
    let with_x = orders_with_pair(
        orders,
        signs.x,
        vec2<u32>(x.significands.x, y.significands.x),
        vec2<u32>(x.places.x, y.places.x),
    );
    let with_y = orders_with_pair(
        with_x,
        signs.y,
        vec2<u32>(x.significands.y, y.significands.y),
        vec2<u32>(x.places.y, y.places.y),
    );
    let with_z = orders_with_pair(
        with_y,
        signs.z,
        vec2<u32>(x.significands.z, y.significands.z),
        vec2<u32>(x.places.z, y.places.z),
    );
    return orders_with_pair(
        with_z,
        signs.w,
        vec2<u32>(x.significands.w, y.significands.w),
        vec2<u32>(x.places.w, y.places.w),
    );
}

fn side_of(elements: vec4<Elem>, first: u32) -> Side {
    return Side(significands(elements), places_in_window(elements, first));
}

fn side_with_zeros(elements: vec4<Elem>, first: u32) -> Side {
    return Side(significands_with_zeros(elements), places_with_zeros(elements, first));
}

fn left_field(pairs: Pairs) -> u32 {
    return max(
        max(largest_field(pairs.left0), largest_field(pairs.left1)),
        max(largest_field(pairs.left2), largest_field(pairs.left3)),
    );
}

fn right_field(pairs: Pairs) -> u32 {
    return max(
        max(largest_field(pairs.right0), largest_field(pairs.right1)),
        max(largest_field(pairs.right2), largest_field(pairs.right3)),
    );
}

fn pairs_window_start(pairs: Pairs) -> PairsWindow {
    return PairsWindow(
        window_first(left_field(pairs)),
        window_first(right_field(pairs)),
        0u,
        no_product_sums(),
    );
}

fn pairs_window_add(lane_index: u32, old: PairsWindow, pairs: Pairs) -> PairsWindow {
    var orders = Orders(0, 0, 0, 0, 0);
    // Vectors of pairs that the windows hold.
    var held = 4u;
    let left0 = side_of(pairs.left0, old.left_first);
    let left1 = side_of(pairs.left1, old.left_first);
    let left2 = side_of(pairs.left2, old.left_first);
    let left3 = side_of(pairs.left3, old.left_first);
    let right0 = side_of(pairs.right0, old.right_first);
    let right1 = side_of(pairs.right1, old.right_first);
    let right2 = side_of(pairs.right2, old.right_first);
    let right3 = side_of(pairs.right3, old.right_first);
    let left_places = max(max(left0.places, left1.places), max(left2.places, left3.places));
    let right_places = max(max(right0.places, right1.places), max(right2.places, right3.places));
    if largest_of(max(left_places, right_places)) < WINDOW_BINADES {
        orders = orders_with_pairs(orders, pairs.left0 ^ pairs.right0, left0, right0);
        orders = orders_with_pairs(orders, pairs.left1 ^ pairs.right1, left1, right1);
        orders = orders_with_pairs(orders, pairs.left2 ^ pairs.right2, left2, right2);
        orders = orders_with_pairs(orders, pairs.left3 ^ pairs.right3, left3, right3);
    } else {
        // Zeros count here. The loop keeps the code short.
        var rest = pairs;
        for (var load = 0u; load < 4u; load++) {
            let left = side_with_zeros(rest.left0, old.left_first);
            let right = side_with_zeros(rest.right0, old.right_first);
            if largest_of(max(left.places, right.places)) < WINDOW_BINADES {
                orders = orders_with_pairs(orders, rest.left0 ^ rest.right0, left, right);
            } else {
                deposit_products(lane_index, rest.left0, rest.right0);
                held -= 1u;
            }
            rest = Pairs(
                rest.left1, rest.left2, rest.left3, rest.left0,
                rest.right1, rest.right2, rest.right3, rest.right0,
            );
        }
    }
    let sums = product_sums_with(old.sums, orders);
    var window = PairsWindow(old.left_first, old.right_first, 0u, sums);
    if (held != 4u) | (sums.groups == MAX_GROUPS) {
        window.misses = select(0u, old.misses + 1u, held == 0u);
        let left = left_field(pairs);
        let right = right_field(pairs);
        let moves = window_moves(old.left_first, left, window.misses)
            | window_moves(old.right_first, right, window.misses);
        if moves | (sums.groups == MAX_GROUPS) {
            pairs_window_flush(lane_index, window);
            window.sums = no_product_sums();
        }
        if moves {
            window.left_first = window_first(left);
            window.right_first = window_first(right);
        }
    }
    return window;
}

fn pairs_window_flush(lane_index: u32, window: PairsWindow) {
    let position = window.left_first - 1u + (window.right_first - 1u);
    product_sums_flush(lane_index, window.sums, position);
}
