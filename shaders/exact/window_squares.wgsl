// Windows for sums of squares.

struct Window {
    // The first exponent field in it.
    first: u32,
    // Groups in a row of which it held nothing.
    misses: u32,
    sums: ProductSums,
}

// Sums of products of digits; the sums of an order are made of one or two of them.
struct SquareOrders {
    low_low: i32,
    low_middle: i32,
    low_high: i32,
    middle_middle: i32,
    middle_high: i32,
    high_high: i32,
}

fn square_orders_with(orders: SquareOrders, digits: Digits) -> SquareOrders {
    return SquareOrders(
        orders.low_low + digits.low * digits.low,
        orders.low_middle + digits.low * digits.middle,
        orders.low_high + digits.low * digits.high,
        orders.middle_middle + digits.middle * digits.middle,
        orders.middle_high + digits.middle * digits.high,
        orders.high_high + digits.high * digits.high,
    );
}

fn group_field(group: Group) -> u32 {
    return max(
        max(largest_field(group.load0), largest_field(group.load1)),
        max(largest_field(group.load2), largest_field(group.load3)),
    );
}

fn window_start(group: Group) -> Window {
    return Window(window_first(group_field(group)), 0u, no_product_sums());
}

fn window_add(lane_index: u32, old: Window, group: Group, place: Place) -> Window {
    var orders = SquareOrders(0, 0, 0, 0, 0, 0);
    var held = 0u;
    var rest = group;
    for (var row = 0u; row < 4u; row++) {
        let elements = rest.load0;
        let places = places_in_window(elements, old.first);
        if largest_of(places) < WINDOW_BINADES {
            orders = square_orders_with(orders, digits_of(elements.x, places.x));
            orders = square_orders_with(orders, digits_of(elements.y, places.y));
            orders = square_orders_with(orders, digits_of(elements.z, places.z));
            orders = square_orders_with(orders, digits_of(elements.w, places.w));
            held += 1u;
        } else {
            deposit_elements(lane_index, elements);
        }
        rest = Group(rest.load1, rest.load2, rest.load3, rest.load0);
    }
    let sums = product_sums_with(
        old.sums,
        Orders(
            orders.low_low,
            2 * orders.low_middle,
            2 * orders.low_high + orders.middle_middle,
            2 * orders.middle_high,
            orders.high_high,
        ),
    );
    var window = Window(old.first, 0u, sums);
    if held != 4u || sums.groups == MAX_GROUPS {
        window.misses = select(0u, old.misses + 1u, held == 0u);
        // The rows have come round.
        let field = group_field(rest);
        let moves = window_moves(old.first, field, window.misses);
        if moves || sums.groups == MAX_GROUPS {
            window_flush(lane_index, window);
            window.sums = no_product_sums();
        }
        if moves {
            window.first = window_first(field);
        }
    }
    return window;
}

fn window_flush(lane_index: u32, window: Window) {
    product_sums_flush(lane_index, window.sums, 2u * (window.first - 1u));
}
