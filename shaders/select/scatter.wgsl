// What the last of three passes has with either mechanism: a workgroup writes the flagged elements of its block to where they belong, in
// order. Where the others are kept too, they come behind all that are flagged.

// Where in the output's binding items of a block stand, of which the first one has a number among all. Blocks and bindings have less than
// 2^31 items. So what is not in the binding is from 2^31 on, or behind its end, whatever is added to it.
fn window_index(job: Params, number: vec2<u32>) -> u32 {
    let index = position_subtract(number, vec2<u32>(job.len_low, job.len_high));
    let sign = select(0u, 0xffffffffu, index.x >= 0x80000000u);
    return select(0x80000000u, index.x, index.y == sign);
}

// Where the flagged elements of a block begin, and where the others do.
struct Begins {
    flagged: u32,
    others: u32,
}

fn begins_of(job: Params, before: vec2<u32>) -> Begins {
    let others = position_subtract(position_of(job, block_begin_of(job)), before);
    let all = entries[job.span].xy;
    return Begins(window_index(job, before), window_index(job, position_add(all, others)));
}

// The flagged element before another one: the position behind it, if it is of the block; else 0, and then `of_all` is its position in the
// whole sequence, or 0 if there is none.
struct Last {
    of_block: u32,
    of_all: vec2<u32>,
}

// The end of the last block.
fn scatter_end(job: Params, lane_index: u32, index: u32, last: Last) {
    if (lane_index == 0u) & (job.block + 1u == job.blocks) & ((job.flags & FLAG_ENDS) != 0u) {
        last_emit(job, index, last);
    }
}
