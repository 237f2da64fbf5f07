fn elem_magnitude(value: Elem) -> Elem {
    return value;
}
