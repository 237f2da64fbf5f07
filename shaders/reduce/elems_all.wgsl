// Elements are what they are.

fn elem_counted(value: Elem) -> Elem {
    return value;
}

fn elems_counted(items: Items) -> Quad {
    return quad_unpack(items);
}
