// No elements are in a range that the device is right for.

fn range_include_acc(range: Range, acc: Acc) -> Range {
    return range;
}

fn range_is_safe(range: Range) -> bool {
    return false;
}

fn range_is_safe_in_tile(range: Range) -> bool {
    return false;
}
