// Exact sums of segments: an operator whose accumulators round nothing, so their order changes no bit.

// A number in two's complement, in units of 2^-149: 320 bits hold the sum of 2^42 elements. Limbs come with the lowest first. Behind them
// are flags for what is not finite.
struct Acc {
    low: vec4<u32>,
    middle: vec4<u32>,
    high: vec2<u32>,
    specials: u32,
}

alias Total = Acc;

const LIMBS = DIGITS / 2u;
const ACC_WORDS = LIMBS + 1u;
const OUT_WORDS = 1u;

fn op_identity() -> Acc {
    return Acc(vec4<u32>(), vec4<u32>(), vec2<u32>(), 0u);
}

// Four limbs from this one on, of a number that has these two, zeros below them, and above them its sign.
fn limbs_from(begin: u32, first: u32, own: vec2<u32>, sign: u32) -> vec4<u32> {
    let at = vec4<u32>(0u, 1u, 2u, 3u) + begin;
    let above = select(vec4<u32>(), vec4<u32>(sign), at > vec4<u32>(first));
    let second = select(above, vec4<u32>(own.y), at == vec4<u32>(first + 1u));
    return select(second, vec4<u32>(own.x), at == vec4<u32>(first));
}

fn op_lift(element: Elem) -> Acc {
    let parts = element_parts(finite_or_zero(element));
    let first = parts.position >> 5u;
    let shift = parts.position & 31u;
    let low = parts.significand << shift;
    let high = (parts.significand >> 1u) >> (31u - shift);
    let negative = vec2<u32>(0u - low, ~high + select(0u, 1u, low == 0u));
    let own = select(vec2<u32>(low, high), negative, parts.is_negative);
    // Of -0 it is 0.
    let sign = select(0u, 0xffffffffu, parts.is_negative & (parts.significand != 0u));
    return Acc(
        limbs_from(0u, first, own, sign),
        limbs_from(4u, first, own, sign),
        limbs_from(8u, first, own, sign).xy,
        special_of(element),
    );
}

// The sum, and what is carried.
fn limb_add(a: u32, b: u32, carry: u32) -> vec2<u32> {
    let sum = a + b;
    let carried = sum + carry;
    return vec2<u32>(carried, select(0u, 1u, sum < a) + select(0u, 1u, carried < sum));
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    let s0 = limb_add(a.low.x, b.low.x, 0u);
    let s1 = limb_add(a.low.y, b.low.y, s0.y);
    let s2 = limb_add(a.low.z, b.low.z, s1.y);
    let s3 = limb_add(a.low.w, b.low.w, s2.y);
    let s4 = limb_add(a.middle.x, b.middle.x, s3.y);
    let s5 = limb_add(a.middle.y, b.middle.y, s4.y);
    let s6 = limb_add(a.middle.z, b.middle.z, s5.y);
    let s7 = limb_add(a.middle.w, b.middle.w, s6.y);
    let s8 = limb_add(a.high.x, b.high.x, s7.y);
    return Acc(
        vec4<u32>(s0.x, s1.x, s2.x, s3.x),
        vec4<u32>(s4.x, s5.x, s6.x, s7.x),
        vec2<u32>(s8.x, a.high.y + b.high.y + s8.y),
        a.specials | b.specials,
    );
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.low.x,
        acc.low.y,
        acc.low.z,
        acc.low.w,
        acc.middle.x,
        acc.middle.y,
        acc.middle.z,
        acc.middle.w,
        acc.high.x,
        acc.high.y,
        acc.specials,
    );
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(
        vec4<u32>(words[0], words[1], words[2], words[3]),
        vec4<u32>(words[4], words[5], words[6], words[7]),
        vec2<u32>(words[8], words[9]),
        words[10],
    );
}

// The end of an exact sum of a segment: what is rounded is made of its limbs.

@if(finish) var<private> limbs: array<u32, LIMBS>;

@if(finish) fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    limbs = array<u32, LIMBS>(
        total.low.x,
        total.low.y,
        total.low.z,
        total.low.w,
        total.middle.x,
        total.middle.y,
        total.middle.z,
        total.middle.w,
        total.high.x,
        total.high.y,
    );
    return array<u32, OUT_WORDS>(exact_value(total.specials, len));
}
