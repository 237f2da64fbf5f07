// Of each component the sum, which makes a mean, and the keys of its extrema, as vector_keys_f32.wgsl has them.
struct Acc {
    sum: Elem,
    // A NaN has the key below every number's,
    least: Elem,
    // and the one above.
    largest: Elem,
}

alias Total = Acc;

const ACC_WORDS = 3u * COMPONENTS;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = ACC_WORDS;

// The infinities have these keys.
fn op_identity() -> Acc {
    return Acc(Elem(0u), Elem(0xff800000u), Elem(0x007fffffu));
}

fn op_lift(bits: Elem) -> Acc {
    let signs = Elem(F32_SIGN_BIT);
    let negative = Elem(0u) - (bits >> Elem(31u));
    let keys = bits ^ (negative | signs);
    let is_nan = (bits & ~signs) > Elem(F32_INFINITY_BITS);
    return Acc(bits, select(keys, Elem(0u), is_nan), select(keys, Elem(0xffffffffu), is_nan));
}

// Both together, whose sums come to this.
fn bounds_of(a: Acc, b: Acc, sum: Elem) -> Acc {
    return Acc(sum, min(a.least, b.least), max(a.largest, b.largest));
}

// In integers.
fn components_add(a: Elem, b: Elem) -> Elem {
    var sum = Elem(0u);
    for (var i = 0u; i < COMPONENTS; i++) {
        sum[i] = f32_add(a[i], b[i]);
    }
    return sum;
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < COMPONENTS; i++) {
        words[i] = acc.sum[i];
        words[COMPONENTS + i] = acc.least[i];
        words[2u * COMPONENTS + i] = acc.largest[i];
    }
    return words;
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    var all = words;
    var acc = op_identity();
    for (var i = 0u; i < COMPONENTS; i++) {
        acc.sum[i] = all[i];
        acc.least[i] = all[COMPONENTS + i];
        acc.largest[i] = all[2u * COMPONENTS + i];
    }
    return acc;
}

// The smallest of each component, the largest, and the means.
fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    var words: array<u32, OUT_WORDS>;
    for (var i = 0u; i < COMPONENTS; i++) {
        words[i] = f32_from_key(total.least[i]);
        words[COMPONENTS + i] = f32_from_key(total.largest[i]);
        words[2u * COMPONENTS + i] = f32_mean(total.sum[i], len);
    }
    return words;
}
