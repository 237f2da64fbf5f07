// Units, cells and digits of exact sums.

// Sums of elements, in units of 2^-149: 320 bits hold those of 2^40.
@if(sum) const DIGITS = 20u;

// In the workgroups' sums and in the accumulator the unit is half of that: then the positions of all elements but
// subnormal ones are their exponent fields.
@if(sum) const HAS_HALF_UNITS = true;

// A cell for each 32 binades, first of positive elements, then of negative ones: the first four bits of an
// element.
@if(sum) const CELLS = 16u;
@if(sum) const SETS = 32u;

@if(sum) fn cell_is_negative(cell: u32) -> bool {
    return cell >= 8u;
}

@if(sum) fn cell_digit(cell: u32) -> u32 {
    return 2u * (cell & 7u);
}

// Sums of f64s, in units of 2^-1074: 2144 bits hold those of 2^40.
@if(sum_f64) const DIGITS = 134u;

// In the workgroups' sums and in the accumulator the unit is half of that: then the positions of all elements but
// subnormal ones are their exponent fields.
@if(sum_f64) const HAS_HALF_UNITS = true;

// A cell for each 32 binades, first of positive parts of elements, then of negative ones.
@if(sum_f64) const CELLS_OF_SIGN = 65u;
@if(sum_f64) const CELLS = 2u * CELLS_OF_SIGN;
// Fewer than elsewhere, because there are so many cells.
@if(sum_f64) const SETS = 8u;

@if(sum_f64) fn cell_is_negative(cell: u32) -> bool {
    return cell >= CELLS_OF_SIGN;
}

@if(sum_f64) fn cell_digit(cell: u32) -> u32 {
    return 2u * select(cell, cell - CELLS_OF_SIGN, cell_is_negative(cell));
}

// Sums of squares, in units of 2^-298: 640 bits hold those of 2^40.
@if(squares) const DIGITS = 40u;
@if(squares) const HAS_HALF_UNITS = false;

// A cell for each 16 binades: a product has 48 bits.
@if(squares) const BINADES_OF_CELL = 16u;
@if(squares) const CELLS = 32u;
@if(squares) const SETS = 32u;

@if(squares) fn cell_is_negative(cell: u32) -> bool {
    return false;
}

@if(squares) fn cell_digit(cell: u32) -> u32 {
    return cell;
}

// Sums of products, in units of 2^-298: 640 bits hold those of 2^40.
@if(products) const DIGITS = 40u;
@if(products) const HAS_HALF_UNITS = false;

// A cell for each 16 binades, a product has 48 bits; first of positive products, then of negative ones.
@if(products) const BINADES_OF_CELL = 16u;
@if(products) const CELLS = 64u;
// Fewer than elsewhere, because there are so many cells.
@if(products) const SETS = 16u;

@if(products) fn cell_is_negative(cell: u32) -> bool {
    return cell >= 32u;
}

@if(products) fn cell_digit(cell: u32) -> u32 {
    return cell & 31u;
}

// Sums of squares, in units of 2^-298, and from digit 40 on sums of elements, in units of 2^-149. Nothing is carried from
// one to the other: squares are not negative.
@if(moments) const DIGITS = 60u;
@if(moments) const HAS_HALF_UNITS = false;

// A cell for each 16 binades: of squares, of positive elements, of negative ones.
@if(moments) const BINADES_OF_CELL = 16u;
@if(moments) const SQUARES_CELLS = 32u;
@if(moments) const ELEMENTS_CELLS = 16u;
@if(moments) const CELLS = SQUARES_CELLS + 2u * ELEMENTS_CELLS;
// Fewer than elsewhere, because there are so many cells.
@if(moments) const SETS = 16u;

@if(moments) fn cell_is_negative(cell: u32) -> bool {
    return cell >= SQUARES_CELLS + ELEMENTS_CELLS;
}

@if(moments) fn cell_digit(cell: u32) -> u32 {
    let element_cell = (cell - SQUARES_CELLS) % ELEMENTS_CELLS;
    return select(40u + element_cell, cell, cell < SQUARES_CELLS);
}

// Sums of squares of numbers, in units of 2^-298; from digit 40 on how many elements are NaN; and from digit 44 on sums of numbers, in units of
// 2^-149. Nothing is carried from one to the next: the first two are not negative.
@if(number_moments) const DIGITS = 64u;
@if(number_moments) const HAS_HALF_UNITS = false;

// The first limb of the number of NaNs: there are two.
@if(number_moments) const NANS_LIMB = 20u;

// A cell for each 16 binades: of squares, of positive elements, of negative ones. And one for NaNs.
@if(number_moments) const BINADES_OF_CELL = 16u;
@if(number_moments) const SQUARES_CELLS = 32u;
@if(number_moments) const ELEMENTS_CELLS = 16u;
@if(number_moments) const NANS_CELL = SQUARES_CELLS + 2u * ELEMENTS_CELLS;
@if(number_moments) const CELLS = NANS_CELL + 1u;
@if(number_moments) const SETS = 16u;

@if(number_moments) fn cell_is_negative(cell: u32) -> bool {
    return (cell >= SQUARES_CELLS + ELEMENTS_CELLS) & (cell != NANS_CELL);
}

@if(number_moments) fn cell_digit(cell: u32) -> u32 {
    if cell < SQUARES_CELLS {
        return cell;
    }
    return select(44u + (cell - SQUARES_CELLS) % ELEMENTS_CELLS, 40u, cell == NANS_CELL);
}
