// Operators that are not told elements' numbers.

fn mapped_lift(elem: Elem, number: Number, i: u32, is_kept: bool) -> Acc {
    return acc_select(op_identity(), op_lift(elem), is_kept);
}
