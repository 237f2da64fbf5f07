// The last pass over numbers of groups: it moves the elements to memory where one group comes after another, each group's as they come. A scan has made
// places of the counts.
//
// A workgroup sorts one tile of its block after another by groups, in its memory: digit by digit, the lowest one first, as radix sorts do. Elements that
// have the same digit stay in their order. Then those of a group are neighbours, and so are the places that lanes write to.

// Where each block's elements of a group go.
@group(0) @binding(3) var<storage, read> places: array<u32>;
// The elements, and where they come from.
@group(0) @binding(4) var<storage, read_write> moved: array<u32>;
@group(0) @binding(6) var<storage, read> elements: array<u32>;

// Each lane has four elements that follow one another.
const TILE_ITEMS = 4u * WORKGROUP_SIZE;
// Of the largest tile. An element's word has its group, and in so many lower bits its place in the tile.
const LOG2_TILE_ITEMS = 10u;
const DIGIT_BITS = 3u;
// Each word has two counts of a lane: of one of four digits, and in the upper half of the digit 4 above.
const DIGIT_WORDS = 4u;
// So many lanes' counts are added up by one lane, and then those of all teams by one. As many teams at most are in a workgroup.
const TEAM = 16u;

// The elements' words. While a digit is counted, the lanes' counts, digit by digit. Each 32 words have one more behind them, so that lanes
// find words that follow one another in different banks of the memory.
var<workgroup> tile: array<u32, TILE_ITEMS + TILE_ITEMS / 32u>;
// Each team's lanes have one more behind them.
var<workgroup> lane_sums: array<u32, WORKGROUP_SIZE + WORKGROUP_SIZE / TEAM>;
// Of all teams before, and behind them of all.
var<workgroup> team_sums: array<u32, TEAM + 1u>;

fn tile_load(index: u32) -> u32 {
    return tile[index + (index >> 5u)];
}

fn tile_store(index: u32, word: u32) {
    tile[index + (index >> 5u)] = word;
}

fn tile_load4(lane_index: u32) -> vec4<u32> {
    let first = 4u * lane_index;
    return vec4<u32>(tile_load(first), tile_load(first + 1u), tile_load(first + 2u), tile_load(first + 3u));
}

fn digit_index(lane_index: u32, digit: u32) -> u32 {
    return (digit % DIGIT_WORDS) * WORKGROUP_SIZE + lane_index;
}

// Counts an element. Gives how many of the lane's elements before it have its digit.
fn digit_count(lane_index: u32, digit: u32) -> u32 {
    let index = digit_index(lane_index, digit);
    let shift = 16u * (digit / DIGIT_WORDS);
    let word = tile_load(index);
    tile_store(index, word + (1u << shift));
    return (word >> shift) & 0xffffu;
}

// How many elements have a lower digit, or this one and an earlier lane.
fn digit_place(lane_index: u32, digit: u32) -> u32 {
    return (tile_load(digit_index(lane_index, digit)) >> (16u * (digit / DIGIT_WORDS))) & 0xffffu;
}

// Makes places of counts. All lanes come here; there are barriers.
fn counts_scan(lane_index: u32) {
    let own = tile_load4(lane_index);
    let two = own.x + own.y;
    let three = two + own.z;
    let slot = lane_index + lane_index / TEAM;
    lane_sums[slot] = three + own.w;
    workgroupBarrier();
    if lane_index < WORKGROUP_SIZE / TEAM {
        var sum = 0u;
        for (var i = 0u; i < TEAM; i++) {
            let at = (TEAM + 1u) * lane_index + i;
            let count = lane_sums[at];
            lane_sums[at] = sum;
            sum += count;
        }
        team_sums[lane_index] = sum;
    }
    workgroupBarrier();
    if lane_index == 0u {
        var sum = 0u;
        for (var i = 0u; i < WORKGROUP_SIZE / TEAM; i++) {
            let count = team_sums[i];
            team_sums[i] = sum;
            sum += count;
        }
        team_sums[TEAM] = sum;
    }
    workgroupBarrier();
    // The digits of upper halves come behind all others.
    let before = lane_sums[slot] + team_sums[lane_index / TEAM] + (team_sums[TEAM] << 16u);
    let first = 4u * lane_index;
    tile_store(first, before);
    tile_store(first + 1u, before + own.x);
    tile_store(first + 2u, before + two);
    tile_store(first + 3u, before + three);
}

// Sorts the tile by a digit of the words, and gives a lane's four. All lanes come here; there are barriers.
fn tile_sort(words: vec4<u32>, shift: u32, lane_index: u32) -> vec4<u32> {
    let digits = (words >> vec4<u32>(shift)) & vec4<u32>((1u << DIGIT_BITS) - 1u);
    for (var i = 0u; i < DIGIT_WORDS; i++) {
        tile_store(digit_index(lane_index, i), 0u);
    }
    let x = digit_count(lane_index, digits.x);
    let y = digit_count(lane_index, digits.y);
    let z = digit_count(lane_index, digits.z);
    let w = digit_count(lane_index, digits.w);
    workgroupBarrier();
    counts_scan(lane_index);
    workgroupBarrier();
    let to = vec4<u32>(x, y, z, w) + vec4<u32>(
        digit_place(lane_index, digits.x),
        digit_place(lane_index, digits.y),
        digit_place(lane_index, digits.z),
        digit_place(lane_index, digits.w),
    );
    workgroupBarrier();
    tile_store(to.x, words.x);
    tile_store(to.y, words.y);
    tile_store(to.z, words.z);
    tile_store(to.w, words.w);
    workgroupBarrier();
    let sorted = tile_load4(lane_index);
    workgroupBarrier();
    return sorted;
}

// The words of four elements of a tile.
fn words_at(job: Params, row: u32, within: u32, end: u32) -> vec4<u32> {
    let at = row + within;
    let groups = vec4<u32>(
        group_of(job, at, end),
        group_of(job, at + 1u, end),
        group_of(job, at + 2u, end),
        group_of(job, at + 3u, end),
    );
    let indices = vec4<u32>(within) + vec4<u32>(0u, 1u, 2u, 3u);
    return (groups << vec4<u32>(LOG2_TILE_ITEMS)) | indices;
}

fn group_at(index: u32) -> u32 {
    return tile_load(index) >> LOG2_TILE_ITEMS;
}

// Where the element at a place of the sorted tile goes.
fn place_of(job: Params, group: u32, index: u32) -> u32 {
    return places[entry_of(job, group)] + count_of(group) + index - TILE_ITEMS;
}

// An element that is less than a word has the lowest bits of one.
fn element_move(job: Params, at: u32, place: u32) {
    let byte = job.head_bytes + at * job.stride_bytes;
    let to = place * job.item_words;
    for (var word = 0u; word < job.item_words; word++) {
        moved[to + word] = elements[(byte >> 2u) + word] >> (8u * (byte & 3u));
    }
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    counts_clear(lane_index);
    workgroupBarrier();
    let begin = block_of(job) << job.log2_block_items;
    let end = min(job.end, begin + (1u << job.log2_block_items));
    let bits = 32u - countLeadingZeros(min(job.groups, MAX_GROUPS));
    for (var row = begin; row < end; row += TILE_ITEMS) {
        var words = words_at(job, row, 4u * lane_index, end);
        for (var bit = 0u; bit < bits; bit += DIGIT_BITS) {
            words = tile_sort(words, LOG2_TILE_ITEMS + bit, lane_index);
        }
        // A group's count also tells where its elements begin in the tile: TILE_ITEMS less that is added to it for now.
        for (var i = 0u; i < 4u; i++) {
            let index = i * WORKGROUP_SIZE + lane_index;
            let group = group_at(index);
            if (group < job.groups) & ((index == 0u) | (group_at(max(index, 1u) - 1u) != group)) {
                count_add(group, TILE_ITEMS - index);
            }
        }
        workgroupBarrier();
        for (var i = 0u; i < 4u; i++) {
            let index = i * WORKGROUP_SIZE + lane_index;
            let word = tile_load(index);
            let group = word >> LOG2_TILE_ITEMS;
            if group < job.groups {
                let at = row + (word & ((1u << LOG2_TILE_ITEMS) - 1u));
                element_move(job, at, place_of(job, group, index));
            }
        }
        workgroupBarrier();
        for (var i = 0u; i < 4u; i++) {
            let index = i * WORKGROUP_SIZE + lane_index;
            let group = group_at(index);
            let last = TILE_ITEMS - 1u;
            if (group < job.groups) & ((index == last) | (group_at(min(index, last - 1u) + 1u) != group)) {
                count_add(group, index + 1u - TILE_ITEMS);
            }
        }
        workgroupBarrier();
    }
}
