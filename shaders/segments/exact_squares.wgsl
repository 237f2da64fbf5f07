// Exact sums of squares of segments: an operator whose accumulators round nothing, so their order changes no bit.

// In units of 2^-298: 640 bits hold the sum of 2^42 squares. Limbs come with the lowest first. Behind them are flags for what is not finite.
struct Acc {
    limbs_0: vec4<u32>,
    limbs_4: vec4<u32>,
    limbs_8: vec4<u32>,
    limbs_12: vec4<u32>,
    limbs_16: vec4<u32>,
    specials: u32,
}

alias Total = Acc;

const LIMBS = DIGITS / 2u;
const ACC_WORDS = LIMBS + 1u;
const OUT_WORDS = 1u;

fn op_identity() -> Acc {
    return Acc(vec4<u32>(), vec4<u32>(), vec4<u32>(), vec4<u32>(), vec4<u32>(), 0u);
}

fn op_lift(element: Elem) -> Acc {
    let square = square_limbs(element_parts(finite_or_zero(element)));
    return Acc(
        limbs_from(0u, square.first, square.own, 0u),
        limbs_from(4u, square.first, square.own, 0u),
        limbs_from(8u, square.first, square.own, 0u),
        limbs_from(12u, square.first, square.own, 0u),
        limbs_from(16u, square.first, square.own, 0u),
        // The square of an infinity has no sign.
        special_of(element & ~F32_SIGN_BIT),
    );
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    let s0 = limbs_add(a.limbs_0, b.limbs_0, 0u);
    let s4 = limbs_add(a.limbs_4, b.limbs_4, s0.carry);
    let s8 = limbs_add(a.limbs_8, b.limbs_8, s4.carry);
    let s12 = limbs_add(a.limbs_12, b.limbs_12, s8.carry);
    let s16 = limbs_add(a.limbs_16, b.limbs_16, s12.carry);
    return Acc(s0.sum, s4.sum, s8.sum, s12.sum, s16.sum, a.specials | b.specials);
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.limbs_0.x,
        acc.limbs_0.y,
        acc.limbs_0.z,
        acc.limbs_0.w,
        acc.limbs_4.x,
        acc.limbs_4.y,
        acc.limbs_4.z,
        acc.limbs_4.w,
        acc.limbs_8.x,
        acc.limbs_8.y,
        acc.limbs_8.z,
        acc.limbs_8.w,
        acc.limbs_12.x,
        acc.limbs_12.y,
        acc.limbs_12.z,
        acc.limbs_12.w,
        acc.limbs_16.x,
        acc.limbs_16.y,
        acc.limbs_16.z,
        acc.limbs_16.w,
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
        words[20],
    );
}

// The end of an exact sum of squares of a segment: what is rounded is made of its limbs.

@if(finish) var<private> limbs: array<u32, LIMBS>;

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
    );
    return array<u32, OUT_WORDS>(exact_value(total.specials, len));
}
