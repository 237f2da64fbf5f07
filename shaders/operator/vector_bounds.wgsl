// Each component's sum, which makes a mean, and two greatest keys: of its elements, and of their complements, which is the least element's. A NaN's key is above every
// number's, either way.
struct Acc {
    sum: Elem,
    least: Elem,
    largest: Elem,
}

alias Total = Acc;

const ACC_WORDS = 3u * COMPONENTS;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = ACC_WORDS;

// The keys of the infinities.
fn op_identity() -> Acc {
    return Acc(Elem(0u), Elem(0x007fffffu), Elem(0x007fffffu));
}

fn op_lift(bits: Elem) -> Acc {
    let signs = Elem(F32_SIGN_BIT);
    let negative = Elem(0u) - (bits >> Elem(31u));
    let keys = bits ^ (negative | signs);
    let is_nan = (bits & ~signs) > Elem(F32_INFINITY_BITS);
    let nan = Elem(0xffffffffu);
    return Acc(bits, select(~keys, nan, is_nan), select(keys, nan, is_nan));
}

// Both together, whose sums come to this.
fn bounds_of(a: Acc, b: Acc, sum: Elem) -> Acc {
    return Acc(sum, max(a.least, b.least), max(a.largest, b.largest));
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
        words[i] = f32_from_key(~total.least[i]);
        words[COMPONENTS + i] = f32_from_key(total.largest[i]);
        words[2u * COMPONENTS + i] = f32_mean(total.sum[i], len);
    }
    return words;
}
