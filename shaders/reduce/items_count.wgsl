// What four elements count for: the lower words, as the upper ones are 0.
@if(elements) fn items_count(items: Items) -> u32 {
    let accs = items_lift(items);
    return accs.x.x + accs.y.x + accs.z.x + accs.w.x;
}

// As section elements, of four elements of a byte each, that count if they are not 0: all four at once.
@if(bytes) fn items_count(items: Items) -> u32 {
    // Of each byte the highest bit, if it has any: the lower ones carry into it.
    let carried = (items & 0x7f7f7f7fu) + 0x7f7f7f7fu;
    return countOneBits((carried | items) & 0x80808080u);
}
