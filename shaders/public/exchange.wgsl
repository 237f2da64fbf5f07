// From blocked to striped: lanes have their items one after another, item i of a lane being number `ITEMS_PER_LANE * lane + i` of the
// workgroup; then item i of a lane is number `WORKGROUP_SIZE * i + lane`, so that neighbouring lanes store to neighbouring places. Every
// lane of the workgroup passes its items; the result is valid in every lane. Through memory, with two barriers for each word of an item.
fn workgroup_to_striped(items: Items, workgroup: Workgroup, invocation: Invocation) -> Items {
    return items_turned(items, true, invocation);
}

// From striped, as neighbouring lanes load from neighbouring places, to blocked: what workgroup_to_striped does, turned back.
fn workgroup_to_blocked(items: Items, workgroup: Workgroup, invocation: Invocation) -> Items {
    return items_turned(items, false, invocation);
}

// Word by word, so that memory is needed for one.
fn items_turned(items: Items, to_striped: bool, invocation: Invocation) -> Items {
    let index = invocation.local_invocation_index;
    // Of item i: where it lies one after another, and where striped.
    let blocked = vec2<u32>(1u, ITEMS_PER_LANE * index);
    let striped = vec2<u32>(WORKGROUP_SIZE, index);
    let to = select(striped, blocked, to_striped);
    let back = select(blocked, striped, to_striped);
    var turned = items;
    var packed: array<array<u32, ITEM_WORDS>, ITEMS_PER_LANE>;
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        packed[i] = kept_pack(turned[i]);
    }
    for (var word = 0u; word < ITEM_WORDS; word++) {
        workgroupBarrier();
        for (var i = 0u; i < ITEMS_PER_LANE; i++) {
            memory[bank_place(to.x * i + to.y)] = packed[i][word];
        }
        workgroupBarrier();
        for (var i = 0u; i < ITEMS_PER_LANE; i++) {
            packed[i][word] = memory[bank_place(back.x * i + back.y)];
        }
    }
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        turned[i] = kept_unpack(packed[i]);
    }
    return turned;
}
