// Values of a few words, on their way to other lanes.

// More than any group has.
const MAX_LANES = 1024u;

// Puts every lane's value into memory, where others may read it until the next collective.
fn workgroup_share(value: Item, invocation: Invocation) {
    workgroupBarrier();
    item_store(invocation.local_invocation_index, value);
    workgroupBarrier();
}

fn item_store(at: u32, value: Item) {
    let packed = item_pack(value);
    memory[at] = packed.x;
    if ITEM_WORDS > 1u {
        memory[WORKGROUP_SIZE + at] = packed.y;
    }
    if ITEM_WORDS > 2u {
        memory[2u * WORKGROUP_SIZE + at] = packed.z;
    }
    if ITEM_WORDS > 3u {
        memory[3u * WORKGROUP_SIZE + at] = packed.w;
    }
}

fn item_load(at: u32) -> Item {
    var packed = vec4<u32>(memory[at], 0u, 0u, 0u);
    if ITEM_WORDS > 1u {
        packed.y = memory[WORKGROUP_SIZE + at];
    }
    if ITEM_WORDS > 2u {
        packed.z = memory[2u * WORKGROUP_SIZE + at];
    }
    if ITEM_WORDS > 3u {
        packed.w = memory[3u * WORKGROUP_SIZE + at];
    }
    return item_unpack(packed);
}
