// Where each of the workgroup's words belongs by one of its digits, if words of equal digits keep their order.
//
// Each lane counts its own words of each digit, in a column of a table. The table's rows, one after another, are the order of the words, so
// a count of all entries before one is a place. Two digits share an entry: a half of a word counts up to 65535.

// Bits of a digit: 1 to 4.
const DIGIT_BITS = 4u;
// Digits from this on count in the upper halves.
const HALF_DIGITS = 1u << (DIGIT_BITS - 1u);
// `HALF_DIGITS + 1`: the last row holds zeros. A lane reads so many entries in turn. As their number is odd, neighbouring lanes read from
// different banks of memory.
const COUNT_ROWS = 9u;

// The places by the digit that begins at bit `bit` of words that end at bit `end`.
fn digit_places(
    words: array<u32, ITEMS_PER_LANE>,
    bit: u32,
    end: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> array<u32, ITEMS_PER_LANE> {
    let index = invocation.local_invocation_index;
    let mask = (1u << min(DIGIT_BITS, end - bit)) - 1u;
    var digits = words;
    var places: array<u32, ITEMS_PER_LANE>;
    workgroupBarrier();
    for (var row = 0u; row < COUNT_ROWS; row++) {
        memory[row * WORKGROUP_SIZE + index] = 0u;
    }
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        let digit = (digits[i] >> bit) & mask;
        let at = (digit & (HALF_DIGITS - 1u)) * WORKGROUP_SIZE + index;
        let shift = (digit >> (DIGIT_BITS - 1u)) << 4u;
        let counts = memory[at];
        places[i] = (counts >> shift) & 0xffffu;
        memory[at] = counts + (1u << shift);
    }
    workgroupBarrier();
    // Each lane adds up a part of the table.
    var part: array<u32, COUNT_ROWS>;
    var sum = 0u;
    for (var i = 0u; i < COUNT_ROWS; i++) {
        part[i] = memory[COUNT_ROWS * index + i];
        sum += part[i];
    }
    let sums = words_before(sum, workgroup, invocation);
    // All of the lower halves come before the upper ones.
    var before = sums.x + (sums.y << 16u);
    workgroupBarrier();
    for (var i = 0u; i < COUNT_ROWS; i++) {
        memory[COUNT_ROWS * index + i] = before;
        before += part[i];
    }
    workgroupBarrier();
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        let digit = (digits[i] >> bit) & mask;
        let at = (digit & (HALF_DIGITS - 1u)) * WORKGROUP_SIZE + index;
        let shift = (digit >> (DIGIT_BITS - 1u)) << 4u;
        places[i] += (memory[at] >> shift) & 0xffffu;
    }
    return places;
}
