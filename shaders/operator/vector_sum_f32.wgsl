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
