// Which element of an array in row-major order comes where, if its axes come in another order. A lane makes some places.
//
// `sides` has pairs of words, a pair for each axis, in the new order: its size, and how far its neighbours are apart in memory. `partials` is
// their number.

@group(0) @binding(4) var<storage, read_write> order: array<u32>;
@group(0) @binding(6) var<storage, read> sides: array<u32>;

fn element_of(job: Params, place: u32) -> u32 {
    var rest = place;
    var element = 0u;
    for (var i = 0u; i < job.partials; i++) {
        let side = 2u * (job.partials - 1u - i);
        let size = sides[side];
        element += (rest % size) * sides[side + 1u];
        rest /= size;
    }
    return element;
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, begin + (1u << job.log2_block_items));
    for (var place = begin + lane_index_of(workgroup, invocation); place < end; place += WORKGROUP_SIZE) {
        order[place] = element_of(job, place);
    }
}
