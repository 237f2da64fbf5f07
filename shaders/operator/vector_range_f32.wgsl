// As range_f32.wgsl and range_addends.wgsl, component by component: the device adds all of them as IEEE-754 says, or is asked for none.

const CHECKS_RANGE = true;

// Of the doubled bits, less one and as they are.
struct Range {
    low: Elem,
    high: Elem,
}

fn range_start() -> Range {
    return Range(Elem(0xffffffffu), Elem(0u));
}

fn range_include_acc(range: Range, acc: Acc) -> Range {
    let doubled = acc << Acc(1u);
    return Range(min(range.low, doubled - Acc(1u)), max(range.high, doubled));
}

fn range_include_elems(range: Range, values: Quad) -> Range {
    let even = range_include_acc(range_include_acc(range, values.x), values.z);
    return range_include_acc(range_include_acc(even, values.y), values.w);
}

// A NaN in one component says nothing of the others.
fn range_is_lost(range: Range) -> bool {
    return false;
}

fn range_is_safe(range: Range) -> bool {
    return all(range.low >= Elem(0x18ffffffu)) & all(range.high < Elem(0xd6000000u));
}

fn range_is_safe_in_tile(range: Range) -> bool {
    return all(range.low >= Elem(0x18ffffffu)) & all(range.high < Elem(0xf1000000u));
}
