// Sums of f64s, in units of 2^-1074: 2144 bits hold those of 2^40.
const DIGITS = 134u;

// In the workgroups' sums and in the accumulator the unit is half of that: then the positions of all elements but
// subnormal ones are their exponent fields.
const HAS_HALF_UNITS = true;

// A cell for each 32 binades, first of positive parts of elements, then of negative ones.
const CELLS_OF_SIGN = 65u;
const CELLS = 2u * CELLS_OF_SIGN;
// Fewer than elsewhere, because there are so many cells.
const SETS = 8u;

fn cell_is_negative(cell: u32) -> bool {
    return cell >= CELLS_OF_SIGN;
}

fn cell_digit(cell: u32) -> u32 {
    return 2u * select(cell, cell - CELLS_OF_SIGN, cell_is_negative(cell));
}
