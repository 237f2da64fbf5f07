// Tiles that the device's arithmetic may not be right for. A tile is known by the number of its node.

// A bit for each tile whose total is not known; and then for each whose total is lost already, which needs no other look.
@if(marked) const UNSAFE_WORDS = MAX_NODES / 32u;
@if(marked) var<workgroup> unsafe_bits: array<atomic<u32>, 2u * UNSAFE_WORDS>;
// The former, in a list, as far as there is room.
@if(marked) const MAX_LISTED_TILES = MAX_NODES / 2u;
@if(marked) var<workgroup> listed_tiles: array<u32, MAX_LISTED_TILES>;
@if(marked) var<workgroup> listed_count: atomic<u32>;

// All lanes come here, before a barrier.
@if(marked) fn unsafe_tiles_clear(lane_index: u32) {
    if lane_index < 2u * UNSAFE_WORDS {
        atomicStore(&unsafe_bits[lane_index], 0u);
    }
    if lane_index == 0u {
        atomicStore(&listed_count, 0u);
    }
}

// By a lane whose elements are in a range that is not safe. If they are in the wider one, only the tile's total is not.
@if(marked) fn unsafe_tile_note(tile: u32, range: Range) {
    if !range_is_safe_in_tile(range) {
        let first = select(0u, UNSAFE_WORDS, range_is_lost(range));
        atomicOr(&unsafe_bits[first + (tile >> 5u)], 1u << (tile & 31u));
    }
    atomicStore(&has_unsafe, 1u);
}

// Of the tiles from the first of whole rounds to the last. All lanes come here, after a barrier.
@if(marked) fn unsafe_tiles_list(first: u32, end: u32, lane_index: u32) {
    for (var tile = lane_index; tile < MAX_NODES; tile += WORKGROUP_SIZE) {
        let is_whole = (first <= tile) & (tile < end);
        let is_lost = unsafe_bit(UNSAFE_WORDS, tile);
        // Lazy: other nodes may be written.
        let is_unsafe = unsafe_bit(0u, tile) || (is_whole && !total_is_right(nodes[tile]));
        if is_lost {
            nodes[tile] = op_lost();
        } else if is_unsafe {
            let place = atomicAdd(&listed_count, 1u);
            if place < MAX_LISTED_TILES {
                listed_tiles[place] = tile;
            }
        }
    }
}

@if(marked) fn unsafe_bit(first: u32, tile: u32) -> bool {
    return ((atomicLoad(&unsafe_bits[first + (tile >> 5u)]) >> (tile & 31u)) & 1u) == 1u;
}

// Makes the nodes of unsafe tiles once more. Each team takes another tile. Where there are more than the list has room for, all
// tiles of whole rounds are made again. After a barrier.
@if(marked) fn unsafe_tiles_combine(
    job: Params,
    rounds: Rounds,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let log2_teams = firstLeadingBit(WORKGROUP_SIZE / team_size_of(workgroup));
    let tile_items = 16u * team_size_of(workgroup);
    let first = rounds.whole_begin << log2_teams;
    let end = rounds.whole_end << log2_teams;
    unsafe_tiles_list(first, end, lane_index_of(workgroup, invocation));
    let count = workgroupUniformLoad(&listed_count);
    let is_listed = count <= MAX_LISTED_TILES;
    let tiles = select(end - first, count, is_listed);
    let turns = (tiles + (1u << log2_teams) - 1u) >> log2_teams;
    for (var turn = 0u; turn < turns; turn++) {
        // Teams for which there is none left take the last one, for nothing.
        let wanted = (turn << log2_teams) + team_id_of(workgroup, invocation);
        let mine = min(wanted, tiles - 1u);
        var tile = first + mine;
        if is_listed {
            tile = listed_tiles[mine];
        }
        let nothing = nothing_of(job) & turn;
        let total = tile_combine(job, block_begin_of(job) + tile * tile_items, nothing, workgroup, invocation);
        if (team_lane_of(workgroup, invocation) == 0u) & (mine == wanted) {
            nodes[tile] = total;
        }
    }
}

// The total of a tile of any values, valid in the team's first lane: three combinations for each of a lane's four rows, then the steps of its team.
// All of them are one in the text, because a combination of any values is long. `nothing` is 0, which compilers do not know.
@if(marked) fn tile_combine(
    job: Params,
    tile_at: u32,
    nothing: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let steps = 12u + team_steps(workgroup);
    var row = Acc4(op_identity(), op_identity(), op_identity(), op_identity());
    var rows = Acc4(op_identity(), op_identity(), op_identity(), op_identity());
    var first = op_identity();
    var total = op_identity();
    for (var step = 0u; step < steps + nothing; step++) {
        let row_number = step / 3u;
        let turn = select(step % 3u, step - 12u, step >= 12u);
        var pair: AccPair;
        if step >= 12u {
            pair = team_pair(turn, rows, first, total, workgroup, invocation);
        } else {
            if turn == 0u {
                let at = vector_of_row(tile_at, row_number, team_lane_of(workgroup, invocation), team_size_of(workgroup));
                row = items_lift_any(items_at(job, at), nothing);
            }
            pair = quad_pair(turn, row, first, total);
        }
        let combined = op_combine_any(pair.left, pair.right);
        total = combined;
        if turn == 0u {
            first = combined;
        }
        rows = Acc4(
            acc_select(rows.x, combined, row_number == 0u),
            acc_select(rows.y, combined, row_number == 1u),
            acc_select(rows.z, combined, row_number == 2u),
            acc_select(rows.w, combined, row_number == 3u),
        );
    }
    return total;
}

// For operators that the device's arithmetic is always right for.

@if(none) fn unsafe_tiles_clear(lane_index: u32) {}

@if(none) fn unsafe_tile_note(tile: u32, range: Range) {}

@if(none) fn unsafe_tiles_combine(
    job: Params,
    rounds: Rounds,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {}
