// Four elements of a byte are a word: they stay packed until they are lifted.
alias Pack = u32;

fn pack_copy(pack: Pack) -> Pack {
    return pack;
}

fn quad_unpack(pack: Pack) -> Quad {
    return elems_of_tops(vec4<u32>(pack << 24u, pack << 16u, pack << 8u, pack));
}
