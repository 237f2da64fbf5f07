// The terms of a sum are the elements. An element of any kind is added to the lane's buckets, or, if it is
// tiny, to a cell for its exponent, which all lanes share.

const TINY = MIN_BUCKET_POSITION;

// Cell p stands for cells[p] * 2^p units, a two's complement number.
var<workgroup> tiny_cells: array<atomic<u32>, TINY>;

fn tiny_clear(lane_index: u32) {
    if lane_index < TINY {
        atomicStore(&tiny_cells[lane_index], 0u);
    }
}

fn deposit_element(lane_index: u32, bits: Elem) {
    let magnitude = bits & ~F32_SIGN_BIT;
    if magnitude == 0u {
        return;
    }
    let negative = bits >> 31u;
    if magnitude >= F32_INFINITY_BITS {
        let infinity = SPECIAL_INFINITY << negative;
        deposit_special(select(infinity, SPECIAL_NAN, magnitude > F32_INFINITY_BITS));
        return;
    }
    let field = magnitude >> 23u;
    let significand = (magnitude & 0x007fffffu) | select(0u, 0x00800000u, field != 0u);
    let position = max(field, 1u) - 1u;
    let value = (significand ^ (0u - negative)) + negative;
    if position >= MIN_BUCKET_POSITION {
        bucket_add(lane_index, position, value);
        return;
    }
    let before = atomicAdd(&tiny_cells[position], value);
    if overflows(before, value) {
        digits_add(position + 32u, select(1u, 0xffffffffu, negative == 1u));
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
    var rest = rows;
    for (var row = 0u; row < 4u; row++) {
        deposit_elements(lane_index, rest.row0);
        rest = Rows(rest.row1, rest.row2, rest.row3, rest.row0);
    }
}

// Moves all deposits to the digits. All lanes come here.
fn deposits_deliver(lane_index: u32) {
    buckets_deliver(lane_index);
    if lane_index < TINY {
        let value = atomicExchange(&tiny_cells[lane_index], 0u);
        if value != 0u {
            digits_add(lane_index, value);
        }
    }
    workgroupBarrier();
}
