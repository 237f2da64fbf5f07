// Where NaNs are ignored, as operator/lift_counted.wgsl says, 0 takes the place of each.

fn elem_counted(value: Elem) -> Elem {
    return select(value, Elem(0u), IGNORES_NANS & elem_is_nan(value));
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
