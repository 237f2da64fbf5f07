// Elements of whole words are loaded as they are.
alias Pack = Quad;

// A Quad may be a struct, which is copied member by member.
fn pack_copy(pack: Pack) -> Pack {
    return Pack(pack.x, pack.y, pack.z, pack.w);
}

fn quad_unpack(pack: Pack) -> Quad {
    return Quad(pack.x, pack.y, pack.z, pack.w);
}
