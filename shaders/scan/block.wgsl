// What a workgroup has of a scan: a block.

// Four items in a row: elements of the launch, what stands for those before it, and the identity behind it.
fn block_items(job: Params, at: u32) -> Acc4 {
    let items = items_load4(job, at);
    if at >= job.begin {
        return items;
    }
    return Acc4(
        block_item(job, at, items.x),
        block_item(job, at + 1u, items.y),
        block_item(job, at + 2u, items.z),
        block_item(job, at + 3u, items.w),
    );
}

fn block_item(job: Params, at: u32, item: Acc) -> Acc {
    if at >= job.begin {
        return item;
    }
    let block_begin = block_begin_of(job);
    return missing_load(job, 0u, at - block_begin, job.begin - block_begin);
}

// Scans a row of the block.
fn block_row_scan(job: Params, row: u32, first_row: u32, slot: u32, next_slot: u32, lane_index: u32) {
    let at = block_begin_of(job) + row * ROW_ITEMS + 4u * lane_index;
    let items = block_items(job, at);
    let prefixes = row_scan(job, place_of(row, first_row), items, slot, next_slot, 0u, lane_index);
    var next = prefixes.next;
    if (lane_index == LAST_LANE) & ((row + 1u) << LOG2_ROW_ITEMS == 1u << job.log2_block_items) {
        next = block_after(job, next);
    }
    if (job.flags & FLAG_INCLUSIVE) != 0u {
        outputs_store4(job, at, Before4(prefixes.y, prefixes.z, prefixes.w, next));
    } else {
        outputs_store4(job, at, Before4(prefixes.x, prefixes.y, prefixes.z, prefixes.w));
    }
}
