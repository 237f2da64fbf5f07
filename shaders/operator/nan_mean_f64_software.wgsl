// IEEE-754 additions in integers throughout, for devices that have no f64s, or whose adder failed the start-up probe.
fn sum_of(a: Elem, b: Elem) -> Elem {
    return f64_add(a, b);
}
