// Exact sums of elements and of their squares, of segments: an operator whose accumulators round nothing, so their order changes no bit.

// First the squares, in units of 2^-298, in 640 bits, then the elements, in units of 2^-149, in 320 bits, both in two's complement. Limbs come with the
// lowest first. Behind them are flags for what is not finite.
struct Acc {
    squares_0: vec4<u32>,
    squares_4: vec4<u32>,
    squares_8: vec4<u32>,
    squares_12: vec4<u32>,
    squares_16: vec4<u32>,
    sum_0: vec4<u32>,
    sum_4: vec4<u32>,
    sum_8: vec2<u32>,
    specials: u32,
}

alias Total = Acc;

const LIMBS = DIGITS / 2u;
const ACC_WORDS = LIMBS + 1u;
const OUT_WORDS = 1u;

fn op_identity() -> Acc {
    return Acc(
        vec4<u32>(),
        vec4<u32>(),
        vec4<u32>(),
        vec4<u32>(),
        vec4<u32>(),
        vec4<u32>(),
        vec4<u32>(),
        vec2<u32>(),
        0u,
    );
}

fn op_lift(element: Elem) -> Acc {
    let parts = element_parts(finite_or_zero(element));
    let square = square_limbs(parts);
    let first = parts.position >> 5u;
    let shift = parts.position & 31u;
    let low = parts.significand << shift;
    let high = (parts.significand >> 1u) >> (31u - shift);
    // Of -0 the sign is 0.
    let is_below = parts.is_negative & (parts.significand != 0u);
    let sign = select(0u, 0xffffffffu, is_below);
    let negative = vec3<u32>(0u - low, ~high + select(0u, 1u, low == 0u), sign);
    let own = select(vec3<u32>(low, high, 0u), negative, is_below);
    return Acc(
        limbs_from(0u, square.first, square.own, 0u),
        limbs_from(4u, square.first, square.own, 0u),
        limbs_from(8u, square.first, square.own, 0u),
        limbs_from(12u, square.first, square.own, 0u),
        limbs_from(16u, square.first, square.own, 0u),
        limbs_from(0u, first, own, sign),
        limbs_from(4u, first, own, sign),
        limbs_from(8u, first, own, sign).xy,
        special_of(element),
    );
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    let s0 = limbs_add(a.squares_0, b.squares_0, 0u);
    let s4 = limbs_add(a.squares_4, b.squares_4, s0.carry);
    let s8 = limbs_add(a.squares_8, b.squares_8, s4.carry);
    let s12 = limbs_add(a.squares_12, b.squares_12, s8.carry);
    let s16 = limbs_add(a.squares_16, b.squares_16, s12.carry);
    let e0 = limbs_add(a.sum_0, b.sum_0, 0u);
    let e4 = limbs_add(a.sum_4, b.sum_4, e0.carry);
    let e8 = limb_add(a.sum_8.x, b.sum_8.x, e4.carry);
    return Acc(
        s0.sum,
        s4.sum,
        s8.sum,
        s12.sum,
        s16.sum,
        e0.sum,
        e4.sum,
        vec2<u32>(e8.x, a.sum_8.y + b.sum_8.y + e8.y),
        a.specials | b.specials,
    );
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.squares_0.x,
        acc.squares_0.y,
        acc.squares_0.z,
        acc.squares_0.w,
        acc.squares_4.x,
        acc.squares_4.y,
        acc.squares_4.z,
        acc.squares_4.w,
        acc.squares_8.x,
        acc.squares_8.y,
        acc.squares_8.z,
        acc.squares_8.w,
        acc.squares_12.x,
        acc.squares_12.y,
        acc.squares_12.z,
        acc.squares_12.w,
        acc.squares_16.x,
        acc.squares_16.y,
        acc.squares_16.z,
        acc.squares_16.w,
        acc.sum_0.x,
        acc.sum_0.y,
        acc.sum_0.z,
        acc.sum_0.w,
        acc.sum_4.x,
        acc.sum_4.y,
        acc.sum_4.z,
        acc.sum_4.w,
        acc.sum_8.x,
        acc.sum_8.y,
        acc.specials,
    );
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(
        vec4<u32>(words[0], words[1], words[2], words[3]),
        vec4<u32>(words[4], words[5], words[6], words[7]),
        vec4<u32>(words[8], words[9], words[10], words[11]),
        vec4<u32>(words[12], words[13], words[14], words[15]),
        vec4<u32>(words[16], words[17], words[18], words[19]),
        vec4<u32>(words[20], words[21], words[22], words[23]),
        vec4<u32>(words[24], words[25], words[26], words[27]),
        vec2<u32>(words[28], words[29]),
        words[30],
    );
}

// Of all there are in the segment: n.
@if(population) fn variance_degrees() -> vec2<u32> {
    return segment_len;
}

// Of a segment that is a sample: n - 1.
@if(sample) fn variance_degrees() -> vec2<u32> {
    return vec2<u32>(segment_len.x - 1u, segment_len.y - select(0u, 1u, segment_len.x == 0u));
}

// The end of exact sums of a segment's elements and of their squares: what is rounded is made of their limbs.

@if(finish) var<private> limbs: array<u32, LIMBS>;

// Elements of the segment.
@if(finish) var<private> segment_len: vec2<u32>;

@if(finish) fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let words = op_pack(total);
    limbs = array<u32, LIMBS>(
        words[0],
        words[1],
        words[2],
        words[3],
        words[4],
        words[5],
        words[6],
        words[7],
        words[8],
        words[9],
        words[10],
        words[11],
        words[12],
        words[13],
        words[14],
        words[15],
        words[16],
        words[17],
        words[18],
        words[19],
        words[20],
        words[21],
        words[22],
        words[23],
        words[24],
        words[25],
        words[26],
        words[27],
        words[28],
        words[29],
    );
    segment_len = len;
    return array<u32, OUT_WORDS>(exact_value(total.specials, len));
}
