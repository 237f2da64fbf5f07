// Sums of products, in units of 2^-298: 640 bits hold those of 2^40.
const DIGITS = 40u;
const HAS_HALF_UNITS = false;

// A cell for each 16 binades, a product has 48 bits; first of positive products, then of negative ones.
const BINADES_OF_CELL = 16u;
const CELLS = 64u;
// Fewer than elsewhere, because there are so many cells.
const SETS = 16u;

fn cell_is_negative(cell: u32) -> bool {
    return cell >= 32u;
}

fn cell_digit(cell: u32) -> u32 {
    return cell & 31u;
}
