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

// The device adds up components, as in vector_sum_f32.wgsl: what one of them has is right or wrong for all.

@if(hardware) fn component_sum(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) + bitcast<f32>(b));
}

// For what is in a safe range together.
@if(hardware) fn op_combine(a: Acc, b: Acc) -> Acc {
    return bounds_of(a, b, components_sum(a.sum, b.sum));
}

// For anything.
@if(hardware) fn op_combine_any(a: Acc, b: Acc) -> Acc {
    let combined = op_combine(a, b);
    if op_is_right(a, b, combined) {
        return combined;
    }
    return bounds_of(a, b, components_add(a.sum, b.sum));
}

// Whether what the device adds up can be seen to be right.
@if(hardware) fn op_is_right(a: Acc, b: Acc, combined: Acc) -> bool {
    let one = Elem(1u);
    let is_exact_zero = ((a.sum | b.sum) << one) == Elem(0u);
    return are_zero_or_normal(a.sum)
        & are_zero_or_normal(b.sum)
        & are_normal(select(combined.sum << one, Elem(SMALLEST_NORMAL), is_exact_zero));
}

// Twice the bits of the smallest number that is normal.
@if(hardware) const SMALLEST_NORMAL = 0x01000000u;

// Of twice the bits.
@if(hardware) fn are_normal(doubled: Elem) -> bool {
    return all(doubled >= Elem(SMALLEST_NORMAL)) & all(doubled < Elem(0xff000000u));
}

@if(hardware) fn are_zero_or_normal(bits: Elem) -> bool {
    let doubled = bits << Elem(1u);
    return are_normal(select(doubled, Elem(SMALLEST_NORMAL), doubled == Elem(0u)));
}

// A NaN in one component says nothing of the others.
@if(hardware) fn op_lost() -> Acc {
    return op_identity();
}

@if(hardware) fn range_is_lost(range: Range) -> bool {
    return false;
}

// IEEE-754 additions in integers throughout, for devices whose adder failed the start-up probe.
@if(software) fn op_combine(a: Acc, b: Acc) -> Acc {
    return bounds_of(a, b, components_add(a.sum, b.sum));
}

// As vector_sum_f32.wgsl@range: the device adds all components as IEEE-754 says, or is asked for none.

@if(range) const CHECKS_RANGE = true;

// Of the doubled bits, less one and as they are.
@if(range) struct Range {
    low: Elem,
    high: Elem,
}

@if(range) fn range_start() -> Range {
    return Range(Elem(0xffffffffu), Elem(0u));
}

@if(range) fn range_include_elem(range: Range, bits: Elem) -> Range {
    let doubled = bits << Elem(1u);
    return Range(min(range.low, doubled - Elem(1u)), max(range.high, doubled));
}

@if(range) fn range_include_acc(range: Range, acc: Acc) -> Range {
    return range_include_elem(range, acc.sum);
}

@if(range) fn range_include_elems(range: Range, values: Quad) -> Range {
    let even = range_include_elem(range_include_elem(range, values.x), values.z);
    return range_include_elem(range_include_elem(even, values.y), values.w);
}

@if(range) fn range_is_safe(range: Range) -> bool {
    return all(range.low >= Elem(0x18ffffffu)) & all(range.high < Elem(0xd6000000u));
}

@if(range) fn range_is_safe_in_tile(range: Range) -> bool {
    return all(range.low >= Elem(0x18ffffffu)) & all(range.high < Elem(0xf1000000u));
}

@if(of_2) fn components_sum(a: Elem, b: Elem) -> Elem {
    return Elem(component_sum(a.x, b.x), component_sum(a.y, b.y));
}

@if(of_3) fn components_sum(a: Elem, b: Elem) -> Elem {
    return Elem(component_sum(a.x, b.x), component_sum(a.y, b.y), component_sum(a.z, b.z));
}

@if(of_4) fn components_sum(a: Elem, b: Elem) -> Elem {
    return Elem(
        component_sum(a.x, b.x),
        component_sum(a.y, b.y),
        component_sum(a.z, b.z),
        component_sum(a.w, b.w),
    );
}
