// Sums of each lane by 32 binades, in workgroup memory that no other lane touches until all sum them up: so
// neither atomics nor neighbours in the same memory bank cost anything.

// Bucket b is a two's complement number of 64 bits in units of 2^(32 * b). It has room for 255 values of 24 bits
// and a sign.
const BUCKETS = 8u;

var<workgroup> buckets_low: array<u32, BUCKETS * EXACT_LANES>;
var<workgroup> buckets_high: array<u32, BUCKETS * EXACT_LANES>;

// Whether there is anything in them.
var<workgroup> has_deposits: atomic<u32>;

fn buckets_clear(lane_index: u32) {
    for (var bucket = 0u; bucket < BUCKETS; bucket++) {
        buckets_low[bucket * EXACT_LANES + lane_index] = 0u;
        buckets_high[bucket * EXACT_LANES + lane_index] = 0u;
    }
}

// Before the first barrier.
fn deposits_clear(lane_index: u32) {
    buckets_clear(lane_index);
    if lane_index == 0u {
        atomicStore(&has_deposits, 0u);
    }
}

// To be said before anything is added.
fn deposits_begin() {
    atomicStore(&has_deposits, 1u);
}

// Adds value * 2^position, a two's complement value; the position is less than 256.
fn bucket_add(lane_index: u32, position: u32, value: u32) {
    let shift = position & 31u;
    let at = (position >> 5u) * EXACT_LANES + lane_index;
    let addend = value << shift;
    let low = buckets_low[at] + addend;
    buckets_low[at] = low;
    let high = bitcast<u32>((bitcast<i32>(value) >> 1u) >> (31u - shift));
    buckets_high[at] += high + select(0u, 1u, low < addend);
}

// Digits of 16 bits that a bucket spans, and lanes of which one invocation adds up a bucket.
const BUCKET_DIGITS = 4u;
const SEGMENT_LANES = 8u;
const SEGMENTS = EXACT_LANES / SEGMENT_LANES;

// Moves the sums of all lanes to the digits. All lanes come here.
fn deposits_deliver(lane_index: u32) {
    // Each invocation sums up one bucket of eight lanes, as digits.
    let bucket = lane_index / SEGMENTS;
    var sum = vec4<u32>();
    workgroupBarrier();
    for (var i = 0u; i < SEGMENT_LANES; i++) {
        // Neighbours read from different memory banks.
        let at = bucket * EXACT_LANES + (i * SEGMENTS + lane_index) % EXACT_LANES;
        let low = buckets_low[at];
        let high = buckets_high[at];
        let high_digit = bitcast<u32>(bitcast<i32>(high) >> 16u);
        sum += vec4<u32>(low & 0xffffu, low >> 16u, high & 0xffffu, high_digit);
    }
    // The buckets are read: their memory takes the sums.
    workgroupBarrier();
    buckets_low[lane_index] = sum.x;
    buckets_low[EXACT_LANES + lane_index] = sum.y;
    buckets_low[2u * EXACT_LANES + lane_index] = sum.z;
    buckets_low[3u * EXACT_LANES + lane_index] = sum.w;
    workgroupBarrier();
    if lane_index < BUCKETS * BUCKET_DIGITS {
        let digit = lane_index % BUCKET_DIGITS;
        let first = digit * EXACT_LANES + lane_index / BUCKET_DIGITS * SEGMENTS;
        var total = 0u;
        for (var i = 0u; i < SEGMENTS; i++) {
            total += buckets_low[first + (i + lane_index) % SEGMENTS];
        }
        digit_add(2u * (lane_index / BUCKET_DIGITS) + digit, total);
    }
    workgroupBarrier();
}
