// Sums of elements, in units of 2^-149: 320 bits hold those of 2^40.
const DIGITS = 20u;

// In the workgroups' sums and in the accumulator the unit is half of that: then the positions of all elements but
// subnormal ones are their exponent fields.
const HAS_HALF_UNITS = true;

// A cell for each 32 binades, first of positive elements, then of negative ones: the first four bits of an
// element.
const BINADES_OF_CELL = 32u;
const CELLS = 16u;
const SETS = 32u;

fn cell_is_negative(cell: u32) -> bool {
    return cell >= 8u;
}

fn cell_digit(cell: u32) -> u32 {
    return 2u * (cell & 7u);
}
