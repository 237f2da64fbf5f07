// The value of another lane of the subgroup, by its number there; of a lane that the subgroup does not have, one's own. Every lane of the
// workgroup passes a value; the result is valid in every lane.
fn subgroup_shuffle(value: Item, lane: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let own = subgroup_lane(workgroup, invocation);
    let is_there = lane < subgroup_lanes(workgroup, invocation);
    return item_of_lane(value, select(own, lane, is_there), workgroup, invocation);
}

// The value of the lane `delta` before this one; one's own where there is none.
fn subgroup_shuffle_up(value: Item, delta: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let own = subgroup_lane(workgroup, invocation);
    return subgroup_shuffle(value, own - select(0u, delta, delta <= own), workgroup, invocation);
}

// The value of the lane `delta` behind this one; one's own where there is none.
fn subgroup_shuffle_down(value: Item, delta: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let own = subgroup_lane(workgroup, invocation);
    return subgroup_shuffle(value, own + min(delta, MAX_LANES), workgroup, invocation);
}

// The value of the lane whose number differs in the bits of `mask`; one's own where there is none.
fn subgroup_shuffle_xor(value: Item, mask: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let own = subgroup_lane(workgroup, invocation);
    return subgroup_shuffle(value, own ^ mask, workgroup, invocation);
}

// As subgroup_shuffle, of tiles: `lane` is counted in the tile of `width` neighbouring lanes, a power of two that all lanes agree on.
fn tile_shuffle(value: Item, lane: u32, width: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let own = subgroup_lane(workgroup, invocation);
    let lanes = min(width, subgroup_size(workgroup));
    let source = (own & ~(lanes - 1u)) + lane;
    let is_there = (lane < lanes) & (source < subgroup_lanes(workgroup, invocation));
    return item_of_lane(value, select(own, source, is_there), workgroup, invocation);
}

// As subgroup_shuffle_up, of tiles: one's own where the tile has no such lane.
fn tile_shuffle_up(value: Item, delta: u32, width: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let own = group_lane(min(width, subgroup_size(workgroup)), invocation);
    return tile_shuffle(value, own - select(0u, delta, delta <= own), width, workgroup, invocation);
}

// As subgroup_shuffle_down, of tiles.
fn tile_shuffle_down(value: Item, delta: u32, width: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let own = group_lane(min(width, subgroup_size(workgroup)), invocation);
    return tile_shuffle(value, own + min(delta, MAX_LANES), width, workgroup, invocation);
}

// As subgroup_shuffle_xor, of tiles.
fn tile_shuffle_xor(value: Item, mask: u32, width: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let own = group_lane(min(width, subgroup_size(workgroup)), invocation);
    return tile_shuffle(value, own ^ mask, width, workgroup, invocation);
}

// The value of one lane of the tile, the same for all its lanes: the value of the last lane if the number is too large.
fn tile_broadcast(value: Item, lane: u32, width: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let last = group_lanes(min(width, subgroup_size(workgroup)), invocation) - 1u;
    return tile_shuffle(value, min(lane, last), width, workgroup, invocation);
}

// The value of one lane of the subgroup, the same for all its lanes: the value of the last lane if the number is too large.
fn subgroup_broadcast(value: Item, lane: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let last = subgroup_lanes(workgroup, invocation) - 1u;
    return item_of_lane(value, min(lane, last), workgroup, invocation);
}

// The value of one lane of the workgroup, which all lanes agree on: the value of the last lane if the number is too large. Through
// memory, with two barriers for each four words.
fn workgroup_broadcast(value: Item, lane: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    return workgroup_item(value, min(lane, WORKGROUP_SIZE - 1u), invocation);
}

// The value of any lane of the workgroup; one's own if there is no such lane. Through memory, with two barriers for each four words.
fn workgroup_shuffle(value: Item, lane: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let own = invocation.local_invocation_index;
    return workgroup_item(value, select(own, lane, lane < WORKGROUP_SIZE), invocation);
}

// The value of the lane before this one in the workgroup; `first` in the first lane. For differences of neighbours, of which each lane
// loads one.
fn workgroup_before(value: Item, first: Item, workgroup: Workgroup, invocation: Invocation) -> Item {
    let index = invocation.local_invocation_index;
    let before = workgroup_item(value, max(index, 1u) - 1u, invocation);
    if index == 0u {
        return first;
    }
    return before;
}

// The value of the lane behind this one in the workgroup; `last` in the last lane.
fn workgroup_behind(value: Item, last: Item, workgroup: Workgroup, invocation: Invocation) -> Item {
    let index = invocation.local_invocation_index;
    let behind = workgroup_item(value, min(index + 1u, WORKGROUP_SIZE - 1u), invocation);
    if index + 1u == WORKGROUP_SIZE {
        return last;
    }
    return behind;
}
