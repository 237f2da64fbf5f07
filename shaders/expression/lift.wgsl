// Operators that take no numbers of elements. An element that does not count becomes the identity.

@if(elements) fn mapped_lift(elem: Elem, number: Number, i: u32, is_kept: bool) -> Acc {
    return acc_select(op_identity(), op_lift(elem), is_kept);
}

// Operators that are told elements' numbers. An element that does not count is none.

// The number of the first of some elements in the whole sequence, the low word first.
@if(places) alias Number = vec2<u32>;

@if(places) fn number_at(job: Params, at: u32) -> Number {
    let first_block = origin_block_of(job);
    let low = first_block << job.log2_block_items;
    let high = first_block >> (32u - job.log2_block_items);
    let number = low + at;
    return vec2<u32>(number, high + select(0u, 1u, number < low));
}

@if(places) fn number_index(number: Number) -> u32 {
    return number.x;
}

@if(places) fn mapped_lift(elem: Elem, number: Number, i: u32, is_kept: bool) -> Acc {
    return acc_select(op_identity(), op_lift_at(elem, number_plus(number, i)), is_kept);
}
