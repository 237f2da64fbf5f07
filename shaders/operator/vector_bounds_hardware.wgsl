// The device adds up components, as in vector_sum_f32.wgsl: what one of them has is right or wrong for all.

fn component_sum(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) + bitcast<f32>(b));
}

// For what is in a safe range together.
fn op_combine(a: Acc, b: Acc) -> Acc {
    return bounds_of(a, b, components_sum(a.sum, b.sum));
}

// For anything.
fn op_combine_any(a: Acc, b: Acc) -> Acc {
    let combined = op_combine(a, b);
    if op_is_right(a, b, combined) {
        return combined;
    }
    return bounds_of(a, b, components_add(a.sum, b.sum));
}

// Whether what the device adds up can be seen to be right.
fn op_is_right(a: Acc, b: Acc, combined: Acc) -> bool {
    let one = Elem(1u);
    let is_exact_zero = ((a.sum | b.sum) << one) == Elem(0u);
    return are_zero_or_normal(a.sum)
        & are_zero_or_normal(b.sum)
        & are_normal(select(combined.sum << one, Elem(SMALLEST_NORMAL), is_exact_zero));
}

// Twice the bits of the smallest number that is normal.
const SMALLEST_NORMAL = 0x01000000u;

// Of twice the bits.
fn are_normal(doubled: Elem) -> bool {
    return all(doubled >= Elem(SMALLEST_NORMAL)) & all(doubled < Elem(0xff000000u));
}

fn are_zero_or_normal(bits: Elem) -> bool {
    let doubled = bits << Elem(1u);
    return are_normal(select(doubled, Elem(SMALLEST_NORMAL), doubled == Elem(0u)));
}

// A NaN in one component says nothing of the others.
fn op_lost() -> Acc {
    return op_identity();
}

fn range_is_lost(range: Range) -> bool {
    return false;
}
