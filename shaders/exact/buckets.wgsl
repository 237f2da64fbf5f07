// The sum of a workgroup by binades, in workgroup memory. The units say how many there are, `DIGITS`, and how many
// binades a bucket has: `BUCKET_BITS`, 32 for significands and 16 for products of two.

// Bucket b is a two's complement number of 64 bits in units of 2^(BUCKET_BITS * b). What it can't hold is 1 in
// the bucket 64 binades up.
const BUCKETS = 16u * DIGITS / BUCKET_BITS;
const BUCKETS_TO_CARRY = 64u / BUCKET_BITS;

// Lanes whose numbers have the same remainder share one of `SETS` sets of buckets. They are rarely neighbours, so the
// atomics of neighbours neither meet in a word nor in a memory bank.

var<workgroup> buckets_low: array<atomic<u32>, BUCKETS * SETS>;
var<workgroup> buckets_high: array<atomic<u32>, BUCKETS * SETS>;

// Flags for what is not finite.
var<workgroup> specials: atomic<u32>;

// Before the first barrier.
fn deposits_clear(lane_index: u32) {
    for (var i = 0u; i < BUCKETS * SETS; i += LANES) {
        if i + lane_index < BUCKETS * SETS {
            atomicStore(&buckets_low[i + lane_index], 0u);
            atomicStore(&buckets_high[i + lane_index], 0u);
        }
    }
    if lane_index == 0u {
        atomicStore(&specials, 0u);
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

// What is to be added to a bucket.
struct Deposit {
    at: u32,
    low: u32,
    high: u32,
}

// For value * 2^position, a two's complement value of 32 bits.
fn deposit_of(lane_index: u32, position: u32, value: u32) -> Deposit {
    let shift = position % BUCKET_BITS;
    return Deposit(
        position / BUCKET_BITS * SETS + lane_index % SETS,
        value << shift,
        bitcast<u32>((bitcast<i32>(value) >> 1u) >> (31u - shift)),
    );
}

// The same of 64 bits, of which as many as a bucket has binades are copies of the sign.
fn deposit_of_wide(lane_index: u32, position: u32, low: u32, high: u32) -> Deposit {
    let shift = position % BUCKET_BITS;
    return Deposit(
        position / BUCKET_BITS * SETS + lane_index % SETS,
        low << shift,
        (high << shift) | ((low >> 1u) >> (31u - shift)),
    );
}

fn deposit_low(deposit: Deposit) -> u32 {
    return atomicAdd(&buckets_low[deposit.at], deposit.low);
}

// The upper half of what is to be added, with the carry of the lower.
fn carried_high(deposit: Deposit, low_before: u32) -> u32 {
    return deposit.high + select(0u, 1u, low_before + deposit.low < deposit.low);
}

fn deposit_high(deposit: Deposit, high: u32) -> u32 {
    return atomicAdd(&buckets_high[deposit.at], high);
}

// After the rest of a deposit.
fn deposit_overflow(deposit: Deposit, high: u32, high_before: u32) {
    if overflows(high_before, high) {
        deposit_carry(deposit.at + BUCKETS_TO_CARRY * SETS, select(1u, 0xffffffffu, is_negative(high)));
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
    deposit_overflow(a, a_high, a_before);
    deposit_overflow(b, b_high, b_before);
}

// Makes one.
fn make_deposit(deposit: Deposit) {
    let low_before = deposit_low(deposit);
    let high = carried_high(deposit, low_before);
    deposit_overflow(deposit, high, deposit_high(deposit, high));
}

// Adds 1 or -1 to a bucket, and on.
fn deposit_carry(first: u32, unit: u32) {
    var addend = unit;
    for (var at = first; at < BUCKETS * SETS; at += BUCKETS_TO_CARRY * SETS) {
        let low_before = atomicAdd(&buckets_low[at], addend);
        let carry = select(0u, 1u, low_before + addend < addend) + select(0u, 0xffffffffu, is_negative(addend));
        let high_before = atomicAdd(&buckets_high[at], carry);
        if !overflows(high_before, carry) {
            break;
        }
    }
}

fn deposit_special(special: u32) {
    atomicOr(&specials, special);
}

// Moves the sum to the accumulator, as digits of 16 bits. All lanes come here.
fn deposits_deliver(lane_index: u32) {
    workgroupBarrier();
    // An invocation for each digit of each bucket.
    if lane_index < 4u * BUCKETS {
        let bucket = lane_index / 4u;
        let digit = lane_index % 4u;
        var total = 0u;
        for (var i = 0u; i < SETS; i++) {
            // Neighbours read from different memory banks.
            let at = bucket * SETS + (i + lane_index) % SETS;
            let low = atomicLoad(&buckets_low[at]);
            let high = atomicLoad(&buckets_high[at]);
            let word = select(low, high, digit >= 2u);
            // The highest digit has the sign.
            let upper = select(word >> 16u, bitcast<u32>(bitcast<i32>(word) >> 16u), digit == 3u);
            total += select(word & 0xffffu, upper, digit % 2u == 1u);
        }
        accumulate_digit(bucket * BUCKET_BITS / 16u + digit, total);
    }
    if lane_index == 0u {
        accumulate_specials(atomicLoad(&specials));
    }
}
