// The terms of a sum of squares.

fn deposit_of_square(lane_index: u32, parts: ElementParts) -> Deposit {
    let square = significand_product(parts.significand, parts.significand);
    let position = 2u * parts.position;
    let cell = position / BINADES_OF_CELL;
    return deposit_of_product(lane_index, cell, position % BINADES_OF_CELL, square);
}
