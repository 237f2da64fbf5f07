// Four elements of half a word are two words: they stay packed until they are lifted.
alias Pack = vec2<u32>;

fn pack_copy(pack: Pack) -> Pack {
    return pack;
}

fn quad_unpack(pack: Pack) -> Quad {
    return elems_of_tops(vec4<u32>(pack.x << 16u, pack.x, pack.y << 16u, pack.y));
}
