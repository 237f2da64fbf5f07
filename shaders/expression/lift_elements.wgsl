// Operators that take no numbers of elements. An element that does not count becomes the identity.

fn mapped_lift(elem: Elem, number: Number, i: u32, is_kept: bool) -> Acc {
    return acc_select(op_identity(), op_lift(elem), is_kept);
}
