// IEEE-754 additions in integers throughout, for devices whose adder failed the start-up probe.
fn sum_of(a: Elem, b: Elem) -> Elem {
    return f32_add(a, b);
}
