// The bits of f32s as keys in the same order, as in f32_key.wgsl. The operator says which key stands for a NaN.

// Of the infinities.
const ELEM_MIN = Elem(0x007fffffu);
const ELEM_MAX = Elem(0xff800000u);

fn op_lift(bits: Elem) -> Acc {
    let signs = Elem(F32_SIGN_BIT);
    let negative = Elem(0u) - (bits >> Elem(31u));
    let is_nan = (bits & ~signs) > Elem(F32_INFINITY_BITS);
    return select(bits ^ (negative | signs), Elem(NAN_KEY), is_nan);
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    var words = op_pack(total);
    for (var i = 0u; i < COMPONENTS; i++) {
        words[i] = f32_from_key(words[i]);
    }
    return words;
}
