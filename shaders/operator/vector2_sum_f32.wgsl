// For what is in a safe range together.
fn op_combine(a: Acc, b: Acc) -> Acc {
    return Acc(component_sum(a.x, b.x), component_sum(a.y, b.y));
}
