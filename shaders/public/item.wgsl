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

@if(u32) alias Item = u32;

@if(u32) const ITEM_WORDS = 1u;

@if(u32) fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(value);
}

@if(u32) fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return packed[0];
}

@if(i32) alias Item = i32;

@if(i32) const ITEM_WORDS = 1u;

@if(i32) fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(bitcast<u32>(value));
}

@if(i32) fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return bitcast<i32>(packed[0]);
}

@if(f32) alias Item = f32;

@if(f32) const ITEM_WORDS = 1u;

@if(f32) fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(bitcast<u32>(value));
}

@if(f32) fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return bitcast<f32>(packed[0]);
}

@if(u32x2) alias Item = vec2<u32>;

@if(u32x2) const ITEM_WORDS = 2u;

@if(u32x2) fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(value.x, value.y);
}

@if(u32x2) fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return vec2<u32>(packed[0], packed[1]);
}

@if(u32x3) alias Item = vec3<u32>;

@if(u32x3) const ITEM_WORDS = 3u;

@if(u32x3) fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(value.x, value.y, value.z);
}

@if(u32x3) fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return vec3<u32>(packed[0], packed[1], packed[2]);
}

@if(u32x4) alias Item = vec4<u32>;

@if(u32x4) const ITEM_WORDS = 4u;

@if(u32x4) fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(value.x, value.y, value.z, value.w);
}

@if(u32x4) fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return vec4<u32>(packed[0], packed[1], packed[2], packed[3]);
}

// Any number of words: as many as were asked for.
@if(words) const ITEM_WORDS = 5u;

@if(words) alias Item = array<u32, ITEM_WORDS>;

@if(words) fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return value;
}

@if(words) fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return packed;
}

// The value of another lane of the subgroup, through memory.
@if(memory) fn item_of_lane(value: Item, lane: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let begin = invocation.local_invocation_index & ~(SUBGROUP_SIZE - 1u);
    return workgroup_item(value, begin + lane, invocation);
}

// The value of another lane of the subgroup, word by word.
@if(shuffle) fn item_of_lane(value: Item, lane: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    var packed = item_pack(value);
    for (var i = 0u; i < ITEM_WORDS; i++) {
        packed[i] = word_of_lane(packed[i], lane);
    }
    return item_unpack(packed);
}

// Items of a lane: as many as were asked for.
@if(items) alias Items = array<Item, ITEMS_PER_LANE>;

@if(items) fn kept_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return item_pack(value);
}

@if(items) fn kept_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return item_unpack(packed);
}

// Items of a lane: the bits of floats, so that no device flushes one that is kept in a variable.
@if(items_bits) alias Items = array<u32, ITEMS_PER_LANE>;

@if(items_bits) fn kept_pack(value: u32) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(value);
}

@if(items_bits) fn kept_unpack(packed: array<u32, ITEM_WORDS>) -> u32 {
    return packed[0];
}
