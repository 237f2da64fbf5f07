// A selection in a single pass. A workgroup counts the flagged elements of its block, leaves their number for the blocks behind it, and looks back for
// what is flagged before the block, as a scan does. Flags stay in registers meanwhile. Elements are loaded again, if flags are made of them: they are near
// by then, and with fewer registers more workgroups are under way at a time.
//
// The launch is the only one, and a binding spans the output. There are no entries.

// The number of all that is flagged, of 64 bits.
@group(0) @binding(3) var<storage, read_write> selected: array<u32>;

// In which siblings are folded.
var<workgroup> tree: array<Acc, SIBLINGS>;
// Numbers are never out of range.
var<workgroup> unsafe_flag: atomic<u32>;

// Blocks have no nodes of their own: all are those of the blocks before.
const SCAN_NODES = 0u;

// What is before all blocks.
fn initial_acc(job: Params) -> Acc {
    return op_identity();
}

// What a lane has of a round: where its elements are, and their flags.
struct Round {
    places: Places,
    flags: u32,
}

fn round_of(job: Params, round: u32, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Round {
    let begin = block_begin_of(job) + round * ROUND_ITEMS;
    let places = round_places(begin, block_end_of(job), workgroup, invocation);
    // Flags of a mask look at no elements, and those by vectors load their own. Compilers leave out loads that nothing looks at.
    return Round(places, round_flags(job, places, items_at(job, places), begin, workgroup, invocation));
}

// Its elements, loaded again: they are in no registers meanwhile. Compilers do not know that it is from the same place.
fn items_again(job: Params, places: Places) -> Items {
    return items_at(job, Places(places.first + nothing_of(job), places.row_step, places.step, places.end));
}

// The position behind the last flagged element of a lane, or 0 if there is none.
fn round_end(round: Round) -> u32 {
    return select(0u, place_at(round.places, 31u - countLeadingZeros(round.flags)) + 1u, round.flags != 0u);
}

fn selected_store(count: u32) {
    selected[params.count_word] = count;
    selected[params.count_word + 1u] = 0u;
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let lane_index = lane_index_of(workgroup, invocation);
    if lane_index == 0u {
        atomicStore(&missing, NOTHING);
        // Of no elements there is one workgroup, which only tells so.
        if params.blocks == 0u {
            selected_store(0u);
        }
    }
    let key = pass_key();
    let own = block_take(params, workgroup, lane_index);
    // The block to make next: its own one, or one that no other workgroup made yet. Each time there is one total more.
    var block = own;
    var polls = FIRST_POLLS;
    var is_done = false;
    for (var attempt = 0u; attempt < 3u * params.blocks; attempt++) {
        let job = job_of_block(workgroup, block);
        let first = round_of(job, 0u, workgroup, invocation);
        let second = round_of(job, 1u, workgroup, invocation);
        let total = block_total(first, second, workgroup, invocation);
        if lane_index == 0u {
            total_publish(job, 0u, block, key, total);
        }
        // It is on its way to all before anything else: without this barrier a scan took longer, as scan/single_pass.wgsl says.
        storageBarrier();
        if block == own {
            let next = look_back(job, own, total, key, polls, lane_index);
            if next == own {
                if lane_index == 0u {
                    pass_leave(job.blocks, key);
                }
                is_done = true;
                let before = blocks_before(job, own);
                block_emit(job, first, second, before, workgroup, invocation);
                block_end(job, op_combine(before, total), lane_index);
                break;
            }
            if next != NOTHING {
                block = next;
            }
            polls = LATER_POLLS;
        } else {
            block = own;
        }
        // Lanes may still look at nodes. And what was left is there for the next look.
        storageBarrier();
        workgroupBarrier();
    }
    // No attempt is the last one: but if it were, the next pass would not be lost, too.
    if !is_done & (lane_index == 0u) & (params.blocks > 0u) {
        pass_leave(params.blocks, key);
    }
}

fn job_of_block(workgroup: WorkgroupBuiltins, block: u32) -> Params {
    var job = job_of(workgroup);
    job.block = block;
    return job;
}

// The last block knows the number of all, and ends the last run.
fn block_end(job: Params, all: Acc, lane_index: u32) {
    if (lane_index == 0u) & (job.block + 1u == job.blocks) {
        selected_store(acc_count(all));
    }
    scatter_end(job, lane_index, acc_count(all), Last(acc_end(all), vec2<u32>()));
}
