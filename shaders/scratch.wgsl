// What dispatches of one reduction hand to each other: the blocks' partials, then the lanes of a
// block that is suspended because its elements end with a buffer or a binding.

struct Scratch {
    // How many workgroups have delivered their totals, where the last one folds the partials; else 0, as before the
    // dispatch and after it.
    delivered: atomic<u32>,
    words: array<u32>,
}

fn scratch_store(first: u32, stride: u32, acc: Acc) {
    let words = op_pack(acc);
    for (var i = 0u; i < ACC_WORDS; i++) {
        scratch.words[first + i * stride] = words[i];
    }
}

fn scratch_load(first: u32, stride: u32) -> Acc {
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < ACC_WORDS; i++) {
        words[i] = scratch.words[first + i * stride];
    }
    return op_unpack(words);
}

fn partial_store(index: u32, acc: Acc) {
    scratch_store(index * ACC_WORDS, 1u, acc);
}

fn partial_load(index: u32) -> Acc {
    return scratch_load(index * ACC_WORDS, 1u);
}

// A suspended lane's accumulators lie one after another, each word beside its neighbour lanes'.
fn suspended_word(lane_index: u32, slot: u32) -> u32 {
    return slot * ACC_WORDS * LANES + lane_index;
}

fn suspend_acc4(lane_index: u32, slot: u32, acc: Acc4) {
    let first = params.suspend_offset;
    scratch_store(first + suspended_word(lane_index, slot), LANES, acc.x);
    scratch_store(first + suspended_word(lane_index, slot + 1u), LANES, acc.y);
    scratch_store(first + suspended_word(lane_index, slot + 2u), LANES, acc.z);
    scratch_store(first + suspended_word(lane_index, slot + 3u), LANES, acc.w);
}

fn resume_acc4(lane_index: u32, slot: u32) -> Acc4 {
    let first = params.resume_offset;
    return Acc4(
        scratch_load(first + suspended_word(lane_index, slot), LANES),
        scratch_load(first + suspended_word(lane_index, slot + 1u), LANES),
        scratch_load(first + suspended_word(lane_index, slot + 2u), LANES),
        scratch_load(first + suspended_word(lane_index, slot + 3u), LANES),
    );
}

fn lane_suspend(lane_index: u32, lane: Lane) {
    suspend_acc4(lane_index, 0u, lane.row0);
    suspend_acc4(lane_index, 4u, lane.row1);
    suspend_acc4(lane_index, 8u, lane.row2);
    suspend_acc4(lane_index, 12u, lane.row3);
}

fn lane_resume(lane_index: u32) -> Lane {
    return Lane(
        resume_acc4(lane_index, 0u),
        resume_acc4(lane_index, 4u),
        resume_acc4(lane_index, 8u),
        resume_acc4(lane_index, 12u),
    );
}
