// Sums of f32s are lost where there is a NaN.

// Whether there is a NaN. Then every sum is one, too.
fn range_is_lost(range: Range) -> bool {
    return range.high > 0xff000000u;
}
