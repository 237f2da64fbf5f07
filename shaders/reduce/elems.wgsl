// Elements are what they are.

@if(all) fn elem_counted(value: Elem) -> Elem {
    return value;
}

@if(all) fn elems_counted(items: Items) -> Quad {
    return quad_unpack(items);
}

// Where NaNs are ignored, as operator/lift.wgsl says, 0 takes the place of each.

@if(counted) fn elem_counted(value: Elem) -> Elem {
    return select(value, Elem(0u), IGNORES_NANS & elem_is_nan(value));
}

@if(counted) fn elems_counted(items: Items) -> Quad {
    let elems = quad_unpack(items);
    return Quad(
        elem_counted(elems.x),
        elem_counted(elems.y),
        elem_counted(elems.z),
        elem_counted(elems.w),
    );
}

// -0 takes the place of NaNs, and 0 that of -0: so what is lifted tells which are counted, and no sum changes.

@if(marked) fn elem_counted(value: Elem) -> Elem {
    return select(select(value, Elem(), elem_is_zero(value)), ELEM_MARK, elem_is_nan(value));
}

@if(marked) fn elems_counted(items: Items) -> Quad {
    let elems = quad_unpack(items);
    return Quad(
        elem_counted(elems.x),
        elem_counted(elems.y),
        elem_counted(elems.z),
        elem_counted(elems.w),
    );
}
