// The terms of a sum are the elements. An element of any kind is added to the lane's buckets, or, if it is
// tiny, to a cell for its exponent, which all lanes share.

const TINY = MIN_BUCKET_POSITION;

// Cell p stands for cells[p] * 2^p units, a two's complement number.
var<workgroup> tiny_cells: array<atomic<u32>, TINY>;

// Whether there is anything in buckets or cells.
var<workgroup> has_deposits: atomic<u32>;

fn deposits_clear(lane_index: u32) {
    buckets_clear(lane_index);
    if lane_index < TINY {
        atomicStore(&tiny_cells[lane_index], 0u);
    }
    if lane_index == 0u {
        atomicStore(&has_deposits, 0u);
    }
}

fn deposit_element(lane_index: u32, bits: Elem) {
    // The sign, spread over a word.
    let negative = bitcast<u32>(bitcast<i32>(bits) >> 31u);
    let position = extractBits(bits, 23u, 8u) - 1u;
    if position - MIN_BUCKET_POSITION < 254u - MIN_BUCKET_POSITION {
        let significand = (bits & 0x007fffffu) | 0x00800000u;
        bucket_add(lane_index, position, (significand ^ negative) - negative);
    } else {
        deposit_rare(bits, negative);
    }
}

// Adds an element that no bucket takes: tiny, infinite or NaN.
fn deposit_rare(bits: Elem, negative: u32) {
    let magnitude = bits & ~F32_SIGN_BIT;
    if magnitude >= F32_INFINITY_BITS {
        let infinity = select(SPECIAL_INFINITY, SPECIAL_NEGATIVE_INFINITY, negative != 0u);
        deposit_special(select(infinity, SPECIAL_NAN, magnitude > F32_INFINITY_BITS));
    } else if magnitude != 0u {
        let field = magnitude >> 23u;
        let position = max(field, 1u) - 1u;
        let significand = (magnitude & 0x007fffffu) | select(0u, 0x00800000u, field != 0u);
        let value = (significand ^ negative) - negative;
        let before = atomicAdd(&tiny_cells[position], value);
        if overflows(before, value) {
            digits_add(position + 32u, select(1u, 0xffffffffu, negative != 0u));
        }
    }
}

fn deposit_elements(lane_index: u32, elements: vec4<Elem>) {
    deposit_element(lane_index, elements.x);
    deposit_element(lane_index, elements.y);
    deposit_element(lane_index, elements.z);
    deposit_element(lane_index, elements.w);
}

// The loop keeps the code short: most inputs never come here.
fn deposit_rows(lane_index: u32, rows: Rows) {
    atomicStore(&has_deposits, 1u);
    var rest = rows;
    for (var row = 0u; row < 4u; row++) {
        deposit_elements(lane_index, rest.row0);
        rest = Rows(rest.row1, rest.row2, rest.row3, rest.row0);
    }
}

// Moves all deposits to the digits. All lanes come here.
fn deposits_deliver(lane_index: u32) {
    buckets_deliver(lane_index);
    if lane_index == 0u {
        atomicStore(&has_deposits, 0u);
    }
    if lane_index < TINY {
        let value = atomicExchange(&tiny_cells[lane_index], 0u);
        if value != 0u {
            digits_add(lane_index, value);
        }
    }
    workgroupBarrier();
}
