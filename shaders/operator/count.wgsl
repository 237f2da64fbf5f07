// How many elements are not 0.
fn op_lift(value: Elem) -> Acc {
    return Acc(select(1u, 0u, elem_is_zero(value)), 0u);
}
