// As in items_count.wgsl, of four elements of a byte each, that count if they are not 0: all four at once.
fn items_count(items: Items) -> u32 {
    // Of each byte the highest bit, if it has any: the lower ones carry into it.
    let carried = (items & 0x7f7f7f7fu) + 0x7f7f7f7fu;
    return countOneBits((carried | items) & 0x80808080u);
}
