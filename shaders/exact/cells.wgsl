// The sum of a workgroup in workgroup memory, by binades and signs. The units say which cells there are.

// A cell is an unsigned number of 64 bits, in units of 2^(16 * its digit). Of what it can't hold there is a count.
//
// Lanes whose numbers have the same remainder share one of `SETS` sets of cells. They are rarely neighbours, so the
// atomics of neighbours neither meet in a word nor in a memory bank.
var<workgroup> cells_low: array<atomic<u32>, CELLS * SETS>;
var<workgroup> cells_high: array<atomic<u32>, CELLS * SETS>;
var<workgroup> cell_overflows: array<atomic<u32>, CELLS>;

// Flags for what is not finite.
var<workgroup> specials: atomic<u32>;

// Before the first barrier.
fn cells_clear(lane_index: u32) {
    for (var i = 0u; i < CELLS * SETS; i += WORKGROUP_SIZE) {
        if i + lane_index < CELLS * SETS {
            atomicStore(&cells_low[i + lane_index], 0u);
            atomicStore(&cells_high[i + lane_index], 0u);
        }
    }
    if lane_index < CELLS {
        atomicStore(&cell_overflows[lane_index], 0u);
    }
    if lane_index == 0u {
        atomicStore(&specials, 0u);
    }
}

// What is to be added to a cell.
struct Deposit {
    at: u32,
    low: u32,
    high: u32,
}

// For magnitude * 2^shift, with a shift of less than 32.
fn deposit_of(lane_index: u32, cell: u32, shift: u32, magnitude: u32) -> Deposit {
    return Deposit(
        cell * SETS + lane_index % SETS,
        magnitude << shift,
        (magnitude >> 1u) >> (31u - shift),
    );
}

// The same of a magnitude of 48 bits, with a shift of less than 16.
fn deposit_of_product(
    lane_index: u32,
    cell: u32,
    shift: u32,
    magnitude: Product,
) -> Deposit {
    return Deposit(
        cell * SETS + lane_index % SETS,
        magnitude.low << shift,
        (magnitude.high << shift) | ((magnitude.low >> 1u) >> (31u - shift)),
    );
}

fn deposit_low(deposit: Deposit) -> u32 {
    return atomicAdd(&cells_low[deposit.at], deposit.low);
}

// The upper half of what is to be added, with the carry of the lower.
fn carried_high(deposit: Deposit, low_before: u32) -> u32 {
    return deposit.high + select(0u, 1u, low_before + deposit.low < deposit.low);
}

fn deposit_high(deposit: Deposit, high: u32) -> u32 {
    return atomicAdd(&cells_high[deposit.at], high);
}

// After the rest of a deposit.
fn note_overflow(deposit: Deposit) {
    atomicAdd(&cell_overflows[deposit.at / SETS], 1u);
}

fn make_deposit(deposit: Deposit) {
    let high = carried_high(deposit, deposit_low(deposit));
    if deposit_high(deposit, high) + high < high {
        note_overflow(deposit);
    }
}

// Makes two deposits; neither waits for the other.
fn make_two_deposits(a: Deposit, b: Deposit) {
    let a_low = deposit_low(a);
    let b_low = deposit_low(b);
    let a_high = carried_high(a, a_low);
    let b_high = carried_high(b, b_low);
    let a_before = deposit_high(a, a_high);
    let b_before = deposit_high(b, b_high);
    let a_overflows = a_before + a_high < a_high;
    let b_overflows = b_before + b_high < b_high;
    // Rare, and so asked once.
    if a_overflows | b_overflows {
        if a_overflows {
            note_overflow(a);
        }
        if b_overflows {
            note_overflow(b);
        }
    }
}

fn deposit_specials(flags: u32) {
    atomicOr(&specials, flags);
}

// Digits of 16 bits that a cell and its overflows span.
const CELL_DIGITS = 6u;

// Moves the sum to the workgroup's copy of the accumulator. All lanes come here.
fn cells_deliver(workgroup_index: u32, lane_index: u32) {
    let copy = accumulator_copy(workgroup_index);
    workgroupBarrier();
    // An invocation for each digit of each cell.
    for (var i = 0u; i < CELLS * CELL_DIGITS; i += WORKGROUP_SIZE) {
        let cell = (i + lane_index) / CELL_DIGITS;
        if cell < CELLS {
            let digit = (i + lane_index) % CELL_DIGITS;
            let magnitude = cell_digit_sum(cell, digit, lane_index);
            let value = select(magnitude, 0u - magnitude, cell_is_negative(cell));
            accumulate_digit(copy, cell_digit(cell) + digit, value);
        }
    }
    if lane_index == 0u {
        accumulate_specials(copy, atomicLoad(&specials));
    }
}

// The sum of a cell's digit over all sets.
fn cell_digit_sum(cell: u32, digit: u32, lane_index: u32) -> u32 {
    if digit >= 4u {
        let word = atomicLoad(&cell_overflows[cell]);
        return select(word & 0xffffu, word >> 16u, digit == 5u);
    }
    var sum = 0u;
    for (var i = 0u; i < SETS; i++) {
        // Neighbours read from different memory banks.
        let at = cell * SETS + (i + lane_index) % SETS;
        let low = atomicLoad(&cells_low[at]);
        let high = atomicLoad(&cells_high[at]);
        let word = select(low, high, digit >= 2u);
        sum += select(word & 0xffffu, word >> 16u, (digit & 1u) == 1u);
    }
    return sum;
}
