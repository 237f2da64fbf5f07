// Windows for sums of squares, and of elements where `ElementSums` has these.

struct Window {
    // The first exponent field in it.
    first: u32,
    // Groups in a row of which it held nothing.
    misses: u32,
    sums: ProductSums,
    elements: ElementSums,
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

fn square_orders_with_vector(
    orders: SquareOrders,
    significands: vec4<u32>,
    places: vec4<u32>,
) -> SquareOrders {
    let with_x = square_orders_with(orders, digits_of(significands.x, places.x));
    let with_y = square_orders_with(with_x, digits_of(significands.y, places.y));
    let with_z = square_orders_with(with_y, digits_of(significands.z, places.z));
    return square_orders_with(with_z, digits_of(significands.w, places.w));
}

// What a lane has taken of a group.
struct Taken {
    orders: SquareOrders,
    elements: ElementSums,
}

// With a vector that the window holds.
fn taken_with(taken: Taken, elements: vec4<Elem>, significands: vec4<u32>, places: vec4<u32>) -> Taken {
    return Taken(
        square_orders_with_vector(taken.orders, significands, places),
        element_sums_with(taken.elements, elements, significands, places),
    );
}

fn group_field(group: Group) -> u32 {
    return max(
        max(largest_field(group.load0), largest_field(group.load1)),
        max(largest_field(group.load2), largest_field(group.load3)),
    );
}

fn window_start(group: Group) -> Window {
    return Window(window_first(group_field(group)), 0u, no_product_sums(), no_element_sums());
}

fn window_add(lane_index: u32, old: Window, group: Group, place: Place) -> Window {
    var taken = Taken(SquareOrders(0, 0, 0, 0, 0, 0), old.elements);
    // Vectors that the window holds.
    var held = 4u;
    let places0 = places_in_window(group.load0, old.first);
    let places1 = places_in_window(group.load1, old.first);
    let places2 = places_in_window(group.load2, old.first);
    let places3 = places_in_window(group.load3, old.first);
    let places = max(max(places0, places1), max(places2, places3));
    if largest_of(places) < WINDOW_BINADES {
        taken = taken_with(taken, group.load0, significands(group.load0), places0);
        taken = taken_with(taken, group.load1, significands(group.load1), places1);
        taken = taken_with(taken, group.load2, significands(group.load2), places2);
        taken = taken_with(taken, group.load3, significands(group.load3), places3);
    } else {
        // Zeros count here. The loop keeps the code short.
        var rest = group;
        for (var row = 0u; row < 4u; row++) {
            let places = places_with_zeros(rest.load0, old.first);
            if largest_of(places) < WINDOW_BINADES {
                let significands = significands_with_zeros(rest.load0);
                taken = taken_with(taken, rest.load0, significands, places);
            } else {
                deposit_elements(lane_index, rest.load0);
                held -= 1u;
            }
            rest = Group(rest.load1, rest.load2, rest.load3, rest.load0);
        }
    }
    let orders = taken.orders;
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
    var window = Window(old.first, 0u, sums, taken.elements);
    if (held != 4u) | (sums.groups == MAX_GROUPS) {
        window.misses = select(0u, old.misses + 1u, held == 0u);
        let field = group_field(group);
        let moves = window_moves(old.first, field, window.misses);
        if moves | (sums.groups == MAX_GROUPS) {
            window_flush(lane_index, window);
            window.sums = no_product_sums();
            window.elements = no_element_sums();
        }
        if moves {
            window.first = window_first(field);
        }
    }
    return window;
}

fn window_flush(lane_index: u32, window: Window) {
    product_sums_flush(lane_index, window.sums, 2u * (window.first - 1u));
    element_sums_flush(lane_index, window.elements, window.first - 1u);
}
