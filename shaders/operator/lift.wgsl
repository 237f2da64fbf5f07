// For operators whose accumulator begins as an element.
@if(element) fn op_lift(value: Elem) -> Acc {
    return value;
}

// An integer of one word as a number of 64 bits: a sign goes on through the high word.
@if(wide) fn op_lift(value: Elem) -> Acc {
    return Acc(value, select(0u, 0u - (value >> 31u), NUMBERS == SIGNED));
}

// For sums of magnitudes, or of what is not NaN: reduce/elems.wgsl has put 0 in the place of NaNs then.
@if(counted) override IGNORES_NANS: bool = false;

@if(counted) fn op_lift(bits: Elem) -> Acc {
    if IGNORES_NANS {
        return bits;
    }
    return elem_magnitude(bits);
}
