// Values of some words, on their way to other lanes.

// More than any group has.
const MAX_LANES = 1024u;

// Memory has room for four words of each lane: those of longer values go four at a time.
const ITEM_FOURS = 1u;

// Puts values into memory, where lanes say so, and brings those that are at other places. No lane may be reading what is in memory; all may
// be reading it when this is done. With two barriers for each four words, less one.
fn item_moved(value: Item, stores: bool, to: u32, back: u32) -> Item {
    var packed = item_pack(value);
    for (var four = 0u; four < ITEM_FOURS; four++) {
        if four > 0u {
            workgroupBarrier();
        }
        if stores {
            for (var word = 0u; word < ITEM_WORDS; word++) {
                if (word >> 2u) == four {
                    memory[(word & 3u) * WORKGROUP_SIZE + to] = packed[word];
                }
            }
        }
        workgroupBarrier();
        for (var word = 0u; word < ITEM_WORDS; word++) {
            if (word >> 2u) == four {
                packed[word] = memory[(word & 3u) * WORKGROUP_SIZE + back];
            }
        }
    }
    return item_unpack(packed);
}

// The value of a lane of the workgroup, through memory.
fn workgroup_item(value: Item, lane: u32, invocation: Invocation) -> Item {
    workgroupBarrier();
    return item_moved(value, true, invocation.local_invocation_index, lane);
}
