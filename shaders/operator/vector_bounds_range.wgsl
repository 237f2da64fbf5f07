// As vector_range_f32.wgsl: the device adds all components as IEEE-754 says, or is asked for none.

const CHECKS_RANGE = true;

// Of the doubled bits, less one and as they are.
struct Range {
    low: Elem,
    high: Elem,
}

fn range_start() -> Range {
    return Range(Elem(0xffffffffu), Elem(0u));
}

fn range_include_elem(range: Range, bits: Elem) -> Range {
    let doubled = bits << Elem(1u);
    return Range(min(range.low, doubled - Elem(1u)), max(range.high, doubled));
}

fn range_include_acc(range: Range, acc: Acc) -> Range {
    return range_include_elem(range, acc.sum);
}

fn range_include_elems(range: Range, values: Quad) -> Range {
    let even = range_include_elem(range_include_elem(range, values.x), values.z);
    return range_include_elem(range_include_elem(even, values.y), values.w);
}

fn range_is_safe(range: Range) -> bool {
    return all(range.low >= Elem(0x18ffffffu)) & all(range.high < Elem(0xd6000000u));
}

fn range_is_safe_in_tile(range: Range) -> bool {
    return all(range.low >= Elem(0x18ffffffu)) & all(range.high < Elem(0xf1000000u));
}
