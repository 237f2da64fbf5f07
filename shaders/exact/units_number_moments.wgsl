// Sums of squares of numbers, in units of 2^-298; from digit 40 on how many elements are NaN; and from digit 44 on sums of numbers, in units of
// 2^-149. Nothing is carried from one to the next: the first two are not negative.
const DIGITS = 64u;
const HAS_HALF_UNITS = false;

// The first limb of the number of NaNs: there are two.
const NANS_LIMB = 20u;

// A cell for each 16 binades: of squares, of positive elements, of negative ones. And one for NaNs.
const BINADES_OF_CELL = 16u;
const SQUARES_CELLS = 32u;
const ELEMENTS_CELLS = 16u;
const NANS_CELL = SQUARES_CELLS + 2u * ELEMENTS_CELLS;
const CELLS = NANS_CELL + 1u;
const SETS = 16u;

fn cell_is_negative(cell: u32) -> bool {
    return (cell >= SQUARES_CELLS + ELEMENTS_CELLS) & (cell != NANS_CELL);
}

fn cell_digit(cell: u32) -> u32 {
    if cell < SQUARES_CELLS {
        return cell;
    }
    return select(44u + (cell - SQUARES_CELLS) % ELEMENTS_CELLS, 40u, cell == NANS_CELL);
}
