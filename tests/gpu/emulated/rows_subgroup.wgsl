// Behind select/rows.wgsl@subgroups.

fn subgroupInclusiveAdd(word: u32) -> u32 {
    emulated_show(word);
    var total = 0u;
    for (var i = 0u; i <= emulated_lane % EMULATED_SIZE; i++) {
        total += emulated_see(i);
    }
    return total;
}

fn subgroupMax(word: u32) -> u32 {
    emulated_show(word);
    var total = 0u;
    for (var i = 0u; i < EMULATED_SIZE; i++) {
        total = max(total, emulated_see(i));
    }
    return total;
}

fn subgroupOr(word: u32) -> u32 {
    emulated_show(word);
    var total = 0u;
    for (var i = 0u; i < EMULATED_SIZE; i++) {
        total |= emulated_see(i);
    }
    return total;
}

// Kernels ask subgroups of up to 32 lanes alone.
fn subgroupBallot(vote: bool) -> vec4<u32> {
    let lane = emulated_lane % EMULATED_SIZE;
    return vec4<u32>(subgroupOr(select(0u, 1u << lane, vote)), 0u, 0u, 0u);
}
