// The sum of a workgroup, without rounding: a cell for each power of two.
//
// The cells stand for the sum of cells[p] * 2^p units, each a two's complement number. So to add an
// element is to add its significand to one cell, and what a cell can't hold is 1 in the cell 32 places
// up. A unit is 2^-149 for sums and 2^-298 for sums of products.
//
// The operator's term says how many there are: `CELLS`, a multiple of 16 and at most 1024, and `DIGITS`, a
// sixteenth of it.

var<workgroup> cells: array<atomic<u32>, CELLS>;
var<workgroup> digits: array<atomic<u32>, DIGITS>;
var<workgroup> specials: atomic<u32>;

fn cells_clear(lane_index: u32) {
    for (var i = 0u; i < CELLS; i += LANES) {
        if i + lane_index < CELLS {
            atomicStore(&cells[i + lane_index], 0u);
        }
    }
    if lane_index < DIGITS {
        atomicStore(&digits[lane_index], 0u);
    }
    if lane_index == 0u {
        atomicStore(&specials, 0u);
    }
    workgroupBarrier();
}

// Adds value * 2^position, a two's complement value.
fn deposit(position: u32, value: u32) {
    var addend = value;
    for (var at = position; at < CELLS; at += 32u) {
        let before = atomicAdd(&cells[at], addend);
        if !overflows(before, addend) {
            break;
        }
        addend = select(1u, 0xffffffffu, is_negative(addend));
    }
}

fn is_negative(value: u32) -> bool {
    return value >= 0x80000000u;
}

// Whether the sum of two numbers is not their sum in two's complement.
fn overflows(a: u32, b: u32) -> bool {
    let sum = a + b;
    return is_negative((a ^ sum) & (b ^ sum));
}

fn deposit_special(special: u32) {
    atomicOr(&specials, special);
}

// The bits of a two's complement number from bit `shift` on, where shift can be 32.
fn shifted_right(value: u32, shift: u32) -> u32 {
    return bitcast<u32>((bitcast<i32>(value) >> (shift >> 1u)) >> (shift - (shift >> 1u)));
}

// Adds the cells to the accumulator, as digits of 16 bits.
fn cells_deliver(lane_index: u32) {
    workgroupBarrier();
    for (var i = 0u; i < CELLS; i += LANES) {
        let cell = i + lane_index;
        if cell < CELLS {
            let value = atomicLoad(&cells[cell]);
            if value != 0u {
                cell_to_digits(cell, value);
            }
        }
    }
    workgroupBarrier();
    if lane_index < DIGITS {
        accumulate_digit(lane_index, atomicLoad(&digits[lane_index]));
    }
    if lane_index == 0u {
        accumulate_specials(atomicLoad(&specials));
    }
}

// At most 48 of these meet in a digit, so none overflows.
fn cell_to_digits(cell: u32, value: u32) {
    let digit = cell >> 4u;
    let shift = cell & 15u;
    atomicAdd(&digits[digit], (value << shift) & 0xffffu);
    if digit + 1u < DIGITS {
        atomicAdd(&digits[digit + 1u], shifted_right(value, 16u - shift) & 0xffffu);
    }
    if digit + 2u < DIGITS {
        atomicAdd(&digits[digit + 2u], shifted_right(value, 32u - shift));
    }
}
