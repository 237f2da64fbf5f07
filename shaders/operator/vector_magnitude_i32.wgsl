// Those of the least numbers, too, are numbers without a sign.
fn elem_magnitude(value: Elem) -> Elem {
    let negative = Elem(0u) - (value >> Elem(31u));
    return (value ^ negative) - negative;
}
