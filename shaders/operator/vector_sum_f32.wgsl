// As sum_f32.wgsl, component by component: what one of them has is right or wrong for all.

fn component_sum(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) + bitcast<f32>(b));
}

// For anything.
fn op_combine_any(a: Acc, b: Acc) -> Acc {
    let sum = op_combine(a, b);
    if op_is_right(a, b, sum) {
        return sum;
    }
    return components_add(a, b);
}

// Whether what the device adds up can be seen to be right.
fn op_is_right(a: Acc, b: Acc, sum: Acc) -> bool {
    let one = Acc(1u);
    let is_exact_zero = ((a | b) << one) == Acc(0u);
    return are_zero_or_normal(a)
        & are_zero_or_normal(b)
        & are_normal(select(sum << one, Acc(SMALLEST_NORMAL), is_exact_zero));
}

// Twice the bits of the smallest number that is normal.
const SMALLEST_NORMAL = 0x01000000u;

// Of twice the bits.
fn are_normal(doubled: Acc) -> bool {
    return all(doubled >= Acc(SMALLEST_NORMAL)) & all(doubled < Acc(0xff000000u));
}

fn are_zero_or_normal(bits: Acc) -> bool {
    let doubled = bits << Acc(1u);
    return are_normal(select(doubled, Acc(SMALLEST_NORMAL), doubled == Acc(0u)));
}

// Of a tile in which all components are lost: there is none, as range_is_lost says.
fn op_lost() -> Acc {
    return Acc(F32_CANONICAL_NAN_BITS);
}

// Each sum itself: one NaN, and no negative zero, whatever the hardware made.
@if(finish) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let signs = Acc(F32_SIGN_BIT);
    let sums = select(total, Acc(0u), total == signs);
    let are_nan = (total & ~signs) > Acc(F32_INFINITY_BITS);
    return op_pack(select(sums, Acc(F32_CANONICAL_NAN_BITS), are_nan));
}

// Each sum divided by the number of elements, rounded.
@if(mean) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    var words = op_pack(total);
    for (var i = 0u; i < COMPONENTS; i++) {
        words[i] = f32_mean(words[i], len);
    }
    return words;
}

// IEEE-754 additions in integers throughout, for devices whose adder failed the start-up probe.
@if(software) fn op_combine(a: Acc, b: Acc) -> Acc {
    return components_add(a, b);
}

// Sums of f32s, component by component, by the device or in integers.
@if(add) fn op_identity() -> Acc {
    return Acc(0u);
}

@if(add) fn op_lift(bits: Elem) -> Acc {
    return bits;
}

// In integers.
@if(add) fn components_add(a: Acc, b: Acc) -> Acc {
    var sum = Acc(0u);
    for (var i = 0u; i < COMPONENTS; i++) {
        sum[i] = f32_add(a[i], b[i]);
    }
    return sum;
}

// As range.wgsl@f32 and range.wgsl@addends, component by component: the device adds all of them as IEEE-754 says, or is asked for none.

@if(range) const CHECKS_RANGE = true;

// Of the doubled bits, less one and as they are.
@if(range) struct Range {
    low: Elem,
    high: Elem,
}

@if(range) fn range_start() -> Range {
    return Range(Elem(0xffffffffu), Elem(0u));
}

@if(range) fn range_include_acc(range: Range, acc: Acc) -> Range {
    let doubled = acc << Acc(1u);
    return Range(min(range.low, doubled - Acc(1u)), max(range.high, doubled));
}

@if(range) fn range_include_elems(range: Range, values: Quad) -> Range {
    let even = range_include_acc(range_include_acc(range, values.x), values.z);
    return range_include_acc(range_include_acc(even, values.y), values.w);
}

// A NaN in one component says nothing of the others.
@if(range) fn range_is_lost(range: Range) -> bool {
    return false;
}

@if(range) fn range_is_safe(range: Range) -> bool {
    return all(range.low >= Elem(0x18ffffffu)) & all(range.high < Elem(0xd6000000u));
}

@if(range) fn range_is_safe_in_tile(range: Range) -> bool {
    return all(range.low >= Elem(0x18ffffffu)) & all(range.high < Elem(0xf1000000u));
}

// For what is in a safe range together.
@if(of_2) fn op_combine(a: Acc, b: Acc) -> Acc {
    return Acc(component_sum(a.x, b.x), component_sum(a.y, b.y));
}

// For what is in a safe range together.
@if(of_3) fn op_combine(a: Acc, b: Acc) -> Acc {
    return Acc(component_sum(a.x, b.x), component_sum(a.y, b.y), component_sum(a.z, b.z));
}

// For what is in a safe range together.
@if(of_4) fn op_combine(a: Acc, b: Acc) -> Acc {
    return Acc(component_sum(a.x, b.x), component_sum(a.y, b.y), component_sum(a.z, b.z), component_sum(a.w, b.w));
}
