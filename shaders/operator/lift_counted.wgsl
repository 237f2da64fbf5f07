// For sums of magnitudes, or of what is not NaN: reduce/elems_counted.wgsl has put 0 in the place of NaNs then.
override IGNORES_NANS: bool = false;

fn op_lift(bits: Elem) -> Acc {
    if IGNORES_NANS {
        return bits;
    }
    return elem_magnitude(bits);
}
