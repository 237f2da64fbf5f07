// Sums of each lane by 32 binades, in workgroup memory that no other lane touches until all sum them up: so
// neither atomics nor neighbours in the same memory bank cost anything.

// Bucket b holds what is at positions 32 * (b + 1) and the 31 above, as a two's complement number of 64 bits in
// units of 2^(32 * (b + 1)). Below position 32 there is hardly anything, and that goes elsewhere.
const BUCKETS = 7u;
const MIN_BUCKET_POSITION = 32u;

var<workgroup> buckets_low: array<u32, BUCKETS * LANES>;
var<workgroup> buckets_high: array<u32, BUCKETS * LANES>;

fn buckets_clear(lane_index: u32) {
    for (var bucket = 0u; bucket < BUCKETS; bucket++) {
        buckets_low[bucket * LANES + lane_index] = 0u;
        buckets_high[bucket * LANES + lane_index] = 0u;
    }
}

// Adds value * 2^position, a two's complement value. There is room for 255 values of 24 bits and a sign.
fn bucket_add(lane_index: u32, position: u32, value: u32) {
    let shift = position & 31u;
    let at = ((position >> 5u) - 1u) * LANES + lane_index;
    let addend = value << shift;
    let low = buckets_low[at] + addend;
    buckets_low[at] = low;
    let high = bitcast<u32>((bitcast<i32>(value) >> 1u) >> (31u - shift));
    buckets_high[at] += high + select(0u, 1u, low < addend);
}

// The digits of a bucket's sum over some lanes.
struct BucketDigits {
    digit0: u32,
    digit1: u32,
    digit2: u32,
    digit3: u32,
}

const BUCKET_DIGITS = 4u;
// Lanes of which one invocation adds up a bucket.
const SEGMENT_LANES = 8u;
const SEGMENTS = LANES / SEGMENT_LANES;

// Moves the sums of all lanes to the digits. All lanes come here.
fn buckets_deliver(lane_index: u32) {
    // Each invocation sums up one bucket of eight lanes, 32 lanes apart.
    let bucket = lane_index / SEGMENTS;
    let segment = lane_index % SEGMENTS;
    var sum = BucketDigits(0u, 0u, 0u, 0u);
    workgroupBarrier();
    if bucket < BUCKETS {
        for (var i = 0u; i < SEGMENT_LANES; i++) {
            let at = bucket * LANES + i * SEGMENTS + segment;
            let low = buckets_low[at];
            let high = buckets_high[at];
            sum.digit0 += low & 0xffffu;
            sum.digit1 += low >> 16u;
            sum.digit2 += high & 0xffffu;
            sum.digit3 += shifted_right(high, 16u);
        }
    }
    // The buckets are read: their memory takes the sums.
    workgroupBarrier();
    buckets_low[lane_index] = sum.digit0;
    buckets_low[LANES + lane_index] = sum.digit1;
    buckets_low[2u * LANES + lane_index] = sum.digit2;
    buckets_low[3u * LANES + lane_index] = sum.digit3;
    workgroupBarrier();
    if lane_index < BUCKETS * BUCKET_DIGITS {
        let digit = lane_index % BUCKET_DIGITS;
        let first = digit * LANES + lane_index / BUCKET_DIGITS * SEGMENTS;
        var total = 0u;
        for (var i = 0u; i < SEGMENTS; i++) {
            // Neighbours begin at different segments, which lie in different memory banks.
            total += buckets_low[first + (i + lane_index) % SEGMENTS];
        }
        digit_add(2u * (lane_index / BUCKET_DIGITS + 1u) + digit, total);
    }
    workgroupBarrier();
    buckets_clear(lane_index);
}
