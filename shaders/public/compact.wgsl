// What compaction brings: in the lanes below `count` the kept values, in the order of the lanes that had them.
struct Compacted {
    value: Item,
    count: u32,
}

// Moves the kept values of the subgroup's lanes to its first lanes. Every lane of the workgroup passes a value; in lanes from `count` on
// it is one's own.
fn subgroup_compact(value: Item, keeps: bool, workgroup: Workgroup, invocation: Invocation) -> Compacted {
    let kept = ballot(keeps, workgroup, invocation);
    let own = subgroup_lane(workgroup, invocation);
    let source = min(ballot_nth(kept, own), subgroup_size(workgroup));
    let count = ballot_count(kept);
    let item = item_of_lane(value, select(own, source, own < count), workgroup, invocation);
    return Compacted(item, count);
}

// Moves the kept values of the tile's lanes to its first lanes: of `width` neighbouring lanes, a power of two that all lanes agree on, and at
// most a subgroup. Every lane of the workgroup passes a value; in lanes from `count` on it is one's own.
fn tile_compact(value: Item, keeps: bool, width: u32, workgroup: Workgroup, invocation: Invocation) -> Compacted {
    let lanes = min(width, subgroup_size(workgroup));
    let kept = ballot_of_tile(ballot(keeps, workgroup, invocation), lanes, workgroup, invocation);
    let own = group_lane(lanes, invocation);
    let begin = subgroup_lane(workgroup, invocation) - own;
    let source = select(own, min(ballot_nth(kept, own), lanes), own < ballot_count(kept));
    return Compacted(item_of_lane(value, begin + source, workgroup, invocation), ballot_count(kept));
}

// Moves the kept values of the workgroup's lanes to its first lanes. Every lane of the workgroup passes a value; in lanes from `count` on
// it is one's own.
fn workgroup_compact(value: Item, keeps: bool, workgroup: Workgroup, invocation: Invocation) -> Compacted {
    let index = invocation.local_invocation_index;
    votes_collect(keeps, workgroup, invocation);
    let count = votes_before(WORKGROUP_SIZE);
    // Votes are told behind a barrier.
    let moved = item_moved(value, keeps, votes_before(index), index);
    if index < count {
        return Compacted(moved, count);
    }
    return Compacted(value, count);
}
