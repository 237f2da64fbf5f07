// All passes but the last: each lane makes the totals of some chunks of a level.

// The segments of the workgroup's first chunk and of its last one, by offsets, and where these begin in the level.
var<workgroup> outer_segments: array<u32, 2>;
var<workgroup> outer_begins: array<u32, 2>;
// While all lanes search for these, half of them for each: the last segments found so far that do not begin behind the chunks.
const SEARCHERS = WORKGROUP_SIZE / 2u;
var<workgroup> found_segments: array<atomic<u32>, 2>;

// Whether there may be offsets. What is for these alone takes registers, so where there are none, kernels go without.
override BY_OFFSETS: bool = true;

fn has_offsets(job: Params) -> bool {
    return BY_OFFSETS & ((job.flags & FLAG_HAS_OFFSETS) != 0u);
}

// By offsets a workgroup must search before it knows whether any segment is long enough for its chunks. Of higher levels few are. So each workgroup of the
// first pass leaves a word in `scratch`: how long the longest segment is that its chunks may be of.
var<workgroup> longest: atomic<u32>;

fn has_lengths(job: Params) -> bool {
    return has_offsets(job) & ((job.flags & FLAG_HAS_LENGTHS) != 0u);
}

// Whether the workgroup may have chunks, in a pass after the first one. The last element of a chunk's place is that of the place of a chunk of the first
// level, too, which is of the same segment. All lanes come here; there are barriers.
fn may_have_chunks(job: Params, first_chunk: u32, chunks_end: u32, lane_index: u32) -> bool {
    if lane_index == 0u {
        atomicStore(&longest, 0u);
    }
    workgroupBarrier();
    let first = (((first_chunk + 1u) << job.level) - 1u) >> job.log2_length_chunks;
    let end = (((chunks_end << job.level) - 1u) >> job.log2_length_chunks) + 1u;
    var own_longest = 0u;
    for (var i = first + lane_index; i < end; i += WORKGROUP_SIZE) {
        own_longest = max(own_longest, scratch.words[job.lengths_begin + i]);
    }
    atomicMax(&longest, own_longest);
    workgroupBarrier();
    return (atomicLoad(&longest) >> (job.level + LOG2_CHUNK_ITEMS)) != 0u;
}

// By offsets a chunk's place is the number of the sixteen items of the whole level that its first one is among. Each chunk has the last of
// these, so no two share a place. Its segment is the last one that begins at that item, or before it.
fn search(job: Params, chunk: u32, first_segment: u32, segments: u32) -> u32 {
    let item = CHUNK_ITEMS * chunk + CHUNK_ITEMS - 1u;
    var first = first_segment;
    var count = segments;
    for (var i = 0u; i < 32u; i++) {
        if count <= 1u {
            break;
        }
        let half = count >> 1u;
        if (offset_load(job, first + half) >> job.level) <= item {
            first += half;
            count -= half;
        } else {
            count = half;
        }
    }
    return first;
}

// The segments of two chunks. In each step each half of the lanes divides what is left among its lanes: to search alone, one offset after the other, would take
// longer than many chunks do. All lanes come here; there are barriers.
fn outer_search(job: Params, first_chunk: u32, last_chunk: u32, is_needed: bool, lane_index: u32) {
    let half = lane_index / SEARCHERS;
    let lane = lane_index % SEARCHERS;
    let item = CHUNK_ITEMS * select(first_chunk, last_chunk, half == 1u) + CHUNK_ITEMS - 1u;
    if lane == 0u {
        atomicStore(&found_segments[half], 0u);
    }
    workgroupBarrier();
    var count = job.segments;
    for (var i = 0u; i < 32u; i++) {
        if count <= 1u {
            break;
        }
        let step = (count + SEARCHERS - 1u) / SEARCHERS;
        let segment = atomicLoad(&found_segments[half]) + step * lane;
        workgroupBarrier();
        if is_needed & (lane > 0u) & (step * lane < count) & (segment < job.segments) {
            if (offset_load(job, segment) >> job.level) <= item {
                atomicMax(&found_segments[half], segment);
            }
        }
        workgroupBarrier();
        count = step;
    }
    if is_needed & (lane == 0u) {
        let segment = atomicLoad(&found_segments[half]);
        outer_segments[half] = segment;
        outer_begins[half] = offset_load(job, segment) >> job.level;
    }
}

// Offsets of the segment that the chunk at a place may be of. Where segments are as long as each other, it is the one that a straight line leads to.
fn words_near(job: Params, chunk: u32) -> OffsetWords {
    let first = outer_segments[0];
    let segments = max(outer_segments[1], first) - first;
    let items = max(outer_begins[1], outer_begins[0]) - outer_begins[0];
    let item = CHUNK_ITEMS * chunk + CHUNK_ITEMS - 1u - outer_begins[0];
    // Where that wraps around, it leads to any other of them.
    return offset_words(job, first + min(item * segments / max(items, 1u), segments));
}

// What the segment has that the chunk at a place is of, if there is one, which may be the one with these offsets.
fn segment_near(job: Params, chunk: u32, near: OffsetWords) -> Segment {
    let item = CHUNK_ITEMS * chunk + CHUNK_ITEMS - 1u;
    let between = offsets_of_words(job, near);
    if (between.x >> job.level) > item {
        let first = outer_segments[0];
        return segment_at(job, search(job, chunk, first, near.segment - first), job.level);
    }
    let last = max(outer_segments[1], near.segment);
    if (near.segment == last) | ((between.y >> job.level) > item) {
        return Segment(between.x >> job.level, (between.y - between.x) >> job.level, 1u);
    }
    return segment_at(job, search(job, chunk, near.segment + 1u, last - near.segment), job.level);
}

// Where chunks of segments that lie within each other are joined, a lane takes four in a row, and lanes side by side take segments side by side. Of
// larger accumulators than these it does not keep four.
const MOST_JOINED_WORDS = 4u;
const COLUMNS = WORKGROUP_SIZE / 4u;

fn joins_columns(job: Params) -> bool {
    return APART & (ACC_WORDS <= MOST_JOINED_WORDS) & (job.segment_step != 1u) & ((job.flags & FLAG_JOINS_CHUNKS) != 0u);
}

// By offsets sixteen chunks that are one of the next level begin at any chunk. If there are such at a place of that level, the last of the sixteen places
// that it has here is one of theirs, so the workgroup of that one joins them. As many as fifteen come behind it: the workgroup's next turn has them, or,
// behind the workgroup's own chunks, one turn more. Totals of chunks that are in no chunk of the next level are left in scratch memory, where the last
// pass looks for them.
fn joins_by_offsets(job: Params) -> bool {
    return (ACC_WORDS <= MOST_JOINED_WORDS) & has_offsets(job) & ((job.flags & FLAG_JOINS_CHUNKS) != 0u);
}

const NO_CHUNK = 0xffffffffu;
// By the places of this turn and of the one before, in the next level: the first of the sixteen chunks there, or none.
const SIXTEENS = 2u * WORKGROUP_SIZE / CHUNK_ITEMS;
var<workgroup> sixteens: array<u32, SIXTEENS>;

// Where there are no offsets: which of the segments that lie within each other the run of 2^log2_items elements at a place is of, and which of its runs
// that is.
fn segment_of_run(job: Params, run: u32, log2_items: u32) -> vec3<u32> {
    let step = step_of(job);
    let per_segment = job.segment_items >> log2_items;
    if step == 1u {
        let segment = run / per_segment;
        return vec3<u32>(segment, 0u, run - segment * per_segment);
    }
    let row = run / step;
    let outer = row / per_segment;
    return vec3<u32>(outer, run - row * step, row - outer * per_segment);
}

// A turn of the workgroup: its first chunk, and where all of the workgroup's begin and end.
struct Turn {
    first: u32,
    begin: u32,
    end: u32,
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let begin = job.begin + (job.block << job.log2_block_items);
    let end = min(job.end, begin + (1u << job.log2_block_items));
    // What is read from memory does not decide who comes to a barrier: some compilers refuse that, though it is the same for all lanes.
    var has_chunks = true;
    if has_lengths(job) & (job.level != 0u) {
        has_chunks = may_have_chunks(job, begin, end, lane_index);
    }
    if (lane_index == 0u) & (job.level == 0u) {
        atomicStore(&longest, 0u);
    }
    if has_offsets(job) {
        outer_search(job, begin, end - 1u, has_chunks, lane_index);
    }
    workgroupBarrier();
    var next = OffsetWords(0u, 0u, 0u);
    if has_chunks & has_offsets(job) {
        next = words_near(job, min(begin + lane_index, end - 1u));
    }
    let has_four = joins_columns(job);
    let slot = select(lane_index, 4u * (lane_index % COLUMNS) + lane_index / COLUMNS, has_four);
    let nothing = nothing_of(job) & job.block;
    let tells_lengths = has_lengths(job) & (job.level == 0u);
    let by_offsets = joins_by_offsets(job);
    // Where the next level's items begin. Behind these are those of the level above, which joined chunks leave.
    let left = job.next_totals - select(0u, level_items(job, job.level + LOG2_CHUNK_ITEMS), by_offsets);
    for (var first = begin; first < select(end, end + 1u, by_offsets); first += WORKGROUP_SIZE) {
        let chunk = first + slot;
        // By offsets: the first of the sixteen chunks that this one is joined with, or none.
        var sixteen = NO_CHUNK;
        // Of the chunk, or of four of them.
        var own_totals = Acc4(op_identity(), op_identity(), op_identity(), op_identity());
        if has_chunks & (chunk < select(end, min(job.end, end + CHUNK_ITEMS - 1u), by_offsets)) {
            // The segment's part of the level, and which of its chunks this is. In front of the first segment that is beyond all.
            var own: Segment;
            var number = 0u;
            if has_offsets(job) {
                // While a lane looks at one chunk, the next one's offsets come.
                let near = OffsetWords(next.segment, next.begin, next.end);
                next = words_near(job, min(chunk + WORKGROUP_SIZE, end - 1u));
                own = segment_near(job, chunk, near);
                number = chunk - (own.first >> LOG2_CHUNK_ITEMS);
            } else {
                let log2_chunks = select(0u, LOG2_CHUNK_ITEMS, has_four);
                let run = select(chunk, chunk >> 2u, has_four);
                let place = segment_of_run(job, run, job.level + LOG2_CHUNK_ITEMS + log2_chunks);
                own = segment_in(job, place.x, place.y, job.level);
                number = (place.z << log2_chunks) + select(0u, 4u * (chunk & 3u), has_four);
            }
            // Shorter ones have chunks of the first level alone. Places of higher levels end with such a place as this.
            if tells_lengths & (chunk % CHUNK_ITEMS == CHUNK_ITEMS - 1u) & (own.count >= CHUNK_ITEMS * CHUNK_ITEMS) {
                atomicMax(&longest, own.count);
            }
            let is_joined = by_offsets & (number / CHUNK_ITEMS < (own.count >> (2u * LOG2_CHUNK_ITEMS)));
            sixteen = select(NO_CHUNK, chunk - number % CHUNK_ITEMS, is_joined);
            // Some places are no chunk's. Behind the workgroup's own chunks it needs those of sixteen that begin before.
            let is_needed = (chunk < end) | (sixteen < end);
            if is_needed & (number < (own.count >> LOG2_CHUNK_ITEMS)) {
                if !APART {
                    own_totals.x = chunk_total(job, Segment(own.first, own.count, 1u), CHUNK_ITEMS * number);
                } else {
                    for (var i = 0u; i < select(1u, 4u, has_four) + nothing; i++) {
                        let at = CHUNK_ITEMS * (number + i);
                        let total = chunk_total(job, Segment(own.first, own.count, own.step), at);
                        own_totals = Acc4(
                            acc_select(own_totals.x, total, i == 0u),
                            acc_select(own_totals.y, total, has_four & (i == 1u)),
                            acc_select(own_totals.z, total, has_four & (i == 2u)),
                            acc_select(own_totals.w, total, has_four & (i == 3u)),
                        );
                    }
                }
                if ((job.flags & FLAG_JOINS_CHUNKS) == 0u) | (by_offsets & !is_joined) {
                    scratch_store(left + chunk, own_totals.x);
                }
            }
        }
        if by_offsets & (chunk % CHUNK_ITEMS == CHUNK_ITEMS - 1u) {
            sixteens[chunk / CHUNK_ITEMS % SIXTEENS] = sixteen;
        }
        if (job.flags & FLAG_JOINS_CHUNKS) != 0u {
            let joined = Acc4(own_totals.x, own_totals.y, own_totals.z, own_totals.w);
            chunks_join(job, Turn(first, begin, end), joined, slot, lane_index);
        }
    }
    if tells_lengths {
        workgroupBarrier();
        if lane_index == 0u {
            scratch.words[job.lengths_begin + job.block] = atomicLoad(&longest);
        }
    }
}
