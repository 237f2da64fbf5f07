// IEEE-754 additions in integers throughout, for devices that have no f64s, or whose adder failed the start-up probe.
fn op_combine(a: Acc, b: Acc) -> Acc {
    return f64_add(a, b);
}
