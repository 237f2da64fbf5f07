// IEEE-754 additions in integers throughout, for devices whose adder failed the start-up probe.
fn op_combine(a: Acc, b: Acc) -> Acc {
    return bounds_of(a, b, components_add(a.sum, b.sum));
}
