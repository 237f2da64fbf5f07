// -0 takes the place of NaNs, and 0 that of -0: so what is lifted tells which are counted, and no sum changes.

fn elem_counted(value: Elem) -> Elem {
    return select(select(value, Elem(), elem_is_zero(value)), ELEM_MARK, elem_is_nan(value));
}

fn elems_counted(items: Items) -> Quad {
    let elems = quad_unpack(items);
    return Quad(
        elem_counted(elems.x),
        elem_counted(elems.y),
        elem_counted(elems.z),
        elem_counted(elems.w),
    );
}
