// Operators that are not told elements' numbers: all elements count, neutral ones in the place of others.

fn mapped_lift(elem: Elem, number: Number, i: u32, is_kept: bool) -> Acc {
    return op_lift(elem);
}
