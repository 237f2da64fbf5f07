// The end of an exact sum of a segment: what is rounded is made of its limbs.

var<private> limbs: array<u32, LIMBS>;

fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
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
