// How lanes of a subgroup write their elements of a round, to where `place_emit` says. A subgroup's part is 16 rows, in which neighbouring lanes have neighbouring
// elements. The elements of a row go to neighbouring places.

// Four flags, a byte each. A subgroup has no more lanes than a byte counts.
fn flag_bytes(flags: u32) -> u32 {
    return (flags & 1u) | ((flags & 2u) << 7u) | ((flags & 4u) << 14u) | ((flags & 8u) << 21u);
}

fn bytes_sum(bytes: u32) -> u32 {
    let pairs = (bytes & 0x00ff00ffu) + ((bytes >> 8u) & 0x00ff00ffu);
    return (pairs & 0xffffu) + (pairs >> 16u);
}

// The lanes below one, as ballots have them.
fn lanes_below(lane: u32) -> vec4<u32> {
    let first = vec4<u32>(0u, 32u, 64u, 96u);
    let within = (vec4<u32>(1u) << (vec4<u32>(lane) & vec4<u32>(31u))) - 1u;
    let below = select(vec4<u32>(0xffffffffu), within, vec4<u32>(lane) < first + 32u);
    return select(below, vec4<u32>(), vec4<u32>(lane) < first);
}

// The position behind the last of these lanes' elements, of which the lowest lane's has a position; or what is before them, if there are none.
fn end_of_lanes(lanes: vec4<u32>, at: u32, before: u32) -> u32 {
    if lanes.w != 0u {
        return at + 128u - countLeadingZeros(lanes.w);
    }
    if lanes.z != 0u {
        return at + 96u - countLeadingZeros(lanes.z);
    }
    if lanes.y != 0u {
        return at + 64u - countLeadingZeros(lanes.y);
    }
    return select(before, at + 32u - countLeadingZeros(lanes.x), lanes.x != 0u);
}

// Which lanes of a subgroup vote for something. Of more lanes than 32 Metal's ballot tells the first 32 alone. All lanes come here.
fn votes(vote: bool, size: u32, lane: u32) -> vec4<u32> {
    if size <= 32u {
        return vec4<u32>(subgroupBallot(vote).x, 0u, 0u, 0u);
    }
    let bits = select(0u, 1u << (lane & 31u), vote);
    return vec4<u32>(
        subgroupOr(select(0u, bits, lane < 32u)),
        subgroupOr(select(0u, bits, (lane >> 5u) == 1u)),
        subgroupOr(select(0u, bits, (lane >> 5u) == 2u)),
        subgroupOr(select(0u, bits, (lane >> 5u) == 3u)),
    );
}

// The positions behind the flagged elements before a lane's, and behind the last one of all. Only lengths need them.
struct Ends {
    before: vec4<u32>,
    behind: u32,
}

// Of four elements of a lane, of which the first one's flag is the first bit. All lanes come here.
fn four_ends(places: Places, i: u32, flags: u32, size: u32, lane: u32, before: u32) -> Ends {
    if !TELLS_LENGTHS {
        return Ends(vec4<u32>(), 0u);
    }
    let below = lanes_below(lane);
    let at = place_at(places, i) - lane;
    let first = votes((flags & 1u) != 0u, size, lane);
    let second = votes((flags & 2u) != 0u, size, lane);
    let third = votes((flags & 4u) != 0u, size, lane);
    let fourth = votes((flags & 8u) != 0u, size, lane);
    let second_at = at + places.step;
    let third_at = second_at + places.step;
    let fourth_at = third_at + places.step;
    let behind_first = end_of_lanes(first, at, before);
    let behind_second = end_of_lanes(second, second_at, behind_first);
    let behind_third = end_of_lanes(third, third_at, behind_second);
    let befores = vec4<u32>(
        end_of_lanes(first & below, at, before),
        end_of_lanes(second & below, second_at, behind_first),
        end_of_lanes(third & below, third_at, behind_second),
        end_of_lanes(fourth & below, fourth_at, behind_third),
    );
    return Ends(befores, end_of_lanes(fourth, fourth_at, behind_third));
}

// Where a block is, and where its items go.
struct Target {
    begins: Begins,
    begin: u32,
    end: u32,
    before: vec2<u32>,
}

// Four elements of a lane. `slot` is how many of the block are flagged before their rows, `rows` and `ranks` how many of each row, and of those
// before the lane's: a byte each.
fn four_emit(
    job: Params,
    to: Target,
    places: Places,
    i: u32,
    slot: u32,
    rows: u32,
    ranks: u32,
    flags: u32,
    items: Four,
    lasts: vec4<u32>,
) {
    let first = place_at(places, i);
    let second_slot = slot + (rows & 0xffu);
    let third_slot = second_slot + ((rows >> 8u) & 0xffu);
    let fourth_slot = third_slot + ((rows >> 16u) & 0xffu);
    let slots = vec4<u32>(slot, second_slot, third_slot, fourth_slot)
        + ((vec4<u32>(ranks) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xffu));
    let ats = vec4<u32>(first) + vec4<u32>(0u, 1u, 2u, 3u) * places.step;
    let are_flagged = (vec4<u32>(flags) & vec4<u32>(1u, 2u, 4u, 8u)) != vec4<u32>();
    place_emit(job, to, ats.x, slots.x, are_flagged.x, vec2<u32>(items.low.x, items.high.x), lasts.x);
    place_emit(job, to, ats.y, slots.y, are_flagged.y, vec2<u32>(items.low.y, items.high.y), lasts.y);
    place_emit(job, to, ats.z, slots.z, are_flagged.z, vec2<u32>(items.low.z, items.high.z), lasts.z);
    place_emit(job, to, ats.w, slots.w, are_flagged.w, vec2<u32>(items.low.w, items.high.w), lasts.w);
}

// Of a subgroup's part of a round. All lanes have the same `rows` and `sums`.
struct Ranks {
    // How many elements of each row are flagged, a byte each; and how many of those are before the lane's.
    rows: vec4<u32>,
    before: vec4<u32>,
    // How many elements of the first four rows are flagged, of the first eight, and so on.
    sums: vec4<u32>,
}

// All lanes come here.
fn ranks_of(flags: u32, size: u32) -> Ranks {
    let own = vec4<u32>(
        flag_bytes(flags),
        flag_bytes(flags >> 4u),
        flag_bytes(flags >> 8u),
        flag_bytes(flags >> 12u),
    );
    let up = vec4<u32>(
        subgroupInclusiveAdd(own.x),
        subgroupInclusiveAdd(own.y),
        subgroupInclusiveAdd(own.z),
        subgroupInclusiveAdd(own.w),
    );
    let rows = vec4<u32>(
        subgroupShuffle(up.x, size - 1u),
        subgroupShuffle(up.y, size - 1u),
        subgroupShuffle(up.z, size - 1u),
        subgroupShuffle(up.w, size - 1u),
    );
    let first = bytes_sum(rows.x);
    let second = first + bytes_sum(rows.y);
    let third = second + bytes_sum(rows.z);
    return Ranks(rows, up - own, vec4<u32>(first, second, third, third + bytes_sum(rows.w)));
}

// Writes a lane's elements of a round. `slot` is how many of the block are flagged before the subgroup's part, `last` the position behind the last of
// them. All lanes come here.
fn round_emit(
    job: Params,
    to: Target,
    places: Places,
    items: Items,
    flags: u32,
    ranks: Ranks,
    slot: u32,
    last: u32,
    size: u32,
    lane: u32,
) {
    let rows = ranks.rows;
    let before = ranks.before;
    let sums = ranks.sums;
    let ends0 = four_ends(places, 0u, flags, size, lane, last);
    let ends1 = four_ends(places, 4u, flags >> 4u, size, lane, ends0.behind);
    let ends2 = four_ends(places, 8u, flags >> 8u, size, lane, ends1.behind);
    let ends3 = four_ends(places, 12u, flags >> 12u, size, lane, ends2.behind);
    four_emit(job, to, places, 0u, slot, rows.x, before.x, flags, items.row0, ends0.before);
    four_emit(job, to, places, 4u, slot + sums.x, rows.y, before.y, flags >> 4u, items.row1, ends1.before);
    four_emit(job, to, places, 8u, slot + sums.y, rows.z, before.z, flags >> 8u, items.row2, ends2.before);
    four_emit(job, to, places, 12u, slot + sums.z, rows.w, before.w, flags >> 12u, items.row3, ends3.before);
}
