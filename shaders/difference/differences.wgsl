// The last of two passes: a workgroup makes the differences of its block, row by row. Where they take the elements' places no lane reads what
// another one writes: neighbours meet in workgroup memory, and blocks in what the first pass has left.

@group(0) @binding(8) var<storage, read_write> output: array<u32>;

// Whether differences take the elements' places. One dispatch may not bind a buffer to read and to write.
override IN_PLACE: bool = false;

const STAGED_ITEMS = ROW_ITEMS + 1u;

// The element before a row, and those of the row.
var<workgroup> staged: array<vec2<u32>, STAGED_ITEMS>;

fn item_at(job: Params, at: u32) -> vec2<u32> {
    if IN_PLACE {
        let word = job.output_base + at * ITEM_WORDS;
        if ITEM_WORDS == 1u {
            return vec2<u32>(output[word], 0u);
        }
        return vec2<u32>(output[word], output[word + 1u]);
    }
    return input_item(job, at);
}

// The element before a block, where there is one.
fn item_before(job: Params, begin: u32) -> vec2<u32> {
    if !IN_PLACE & (begin > 0u) {
        return item_at(job, begin - 1u);
    }
    return ends[job.first_entry + job.block - 1u];
}

fn difference_store(job: Params, at: u32, item: vec2<u32>) {
    let word = job.output_base + at * ITEM_WORDS;
    output[word] = item.x;
    if ITEM_WORDS == 2u {
        output[word + 1u] = item.y;
    }
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let begin = job.block << job.log2_block_items;
    let end = block_end(job, job.block);
    let resumes = (job.flags & FLAG_RESUMES) != 0u;
    var before = vec2<u32>();
    if (lane_index == 0u) & ((begin > 0u) | resumes) {
        before = item_before(job, begin);
    }
    for (var row = begin; row < end; row += ROW_ITEMS) {
        if lane_index == 0u {
            staged[0] = before;
        }
        for (var place = lane_index; place < ROW_ITEMS; place += WORKGROUP_SIZE) {
            if row + place < end {
                staged[place + 1u] = item_at(job, row + place);
            }
        }
        workgroupBarrier();
        for (var place = lane_index; place < ROW_ITEMS; place += WORKGROUP_SIZE) {
            let at = row + place;
            if at < end {
                var item = staged[place + 1u];
                // The first of all has none before it.
                if (at > 0u) | resumes {
                    item = difference(item, staged[place]);
                }
                difference_store(job, at, item);
            }
        }
        before = staged[ROW_ITEMS];
        workgroupBarrier();
    }
}

// The first of two passes: the last element of each block, before a difference takes its place. A lane for each block.

@if(ends) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let block = workgroup.workgroup_id.x * WORKGROUP_SIZE + lane_index_of(workgroup, invocation);
    if block < job.blocks {
        ends[job.first_entry + block] = input_item(job, block_end(job, block) - 1u);
    }
}

// Elements are words here: two, of which the second one is 0 where they have one.

@if(items) @group(0) @binding(2) var<storage, read> input_words: array<u32>;

// The last element of each block, of all launches. Entry 0 is nothing's.
@if(items) @group(0) @binding(3) var<storage, read_write> ends: array<vec2<u32>>;

@if(items) fn input_item(job: Params, at: u32) -> vec2<u32> {
    let word = job.base + at * (job.stride_bytes >> 2u);
    if ITEM_WORDS == 1u {
        return vec2<u32>(input_words[word], 0u);
    }
    return vec2<u32>(input_words[word], input_words[word + 1u]);
}

// The position behind a block.
@if(items) fn block_end(job: Params, block: u32) -> u32 {
    return min(job.end, (block + 1u) << job.log2_block_items);
}
