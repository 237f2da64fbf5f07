// Sums of squares, in units of 2^-298, and from digit 40 on sums of elements, in units of 2^-149. Nothing is carried from
// one to the other: squares are not negative.
const DIGITS = 60u;
const HAS_HALF_UNITS = false;

// A cell for each 16 binades: of squares, of positive elements, of negative ones.
const BINADES_OF_CELL = 16u;
const SQUARES_CELLS = 32u;
const ELEMENTS_CELLS = 16u;
const CELLS = SQUARES_CELLS + 2u * ELEMENTS_CELLS;
// Fewer than elsewhere, because there are so many cells.
const SETS = 16u;

fn cell_is_negative(cell: u32) -> bool {
    return cell >= SQUARES_CELLS + ELEMENTS_CELLS;
}

fn cell_digit(cell: u32) -> u32 {
    let element_cell = (cell - SQUARES_CELLS) % ELEMENTS_CELLS;
    return select(40u + element_cell, cell, cell < SQUARES_CELLS);
}
