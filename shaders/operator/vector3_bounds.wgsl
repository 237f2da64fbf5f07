fn components_sum(a: Elem, b: Elem) -> Elem {
    return Elem(component_sum(a.x, b.x), component_sum(a.y, b.y), component_sum(a.z, b.z));
}
