
// Behind operator/extremum.wgsl: of whole subgroups, as it is used.
fn subgroupMax(value: Acc) -> Acc {
    emulated_show(op_pack(value)[0]);
    var total = value;
    for (var lane = 0u; lane < EMULATED_SIZE; lane++) {
        if emulated_at(lane) < WORKGROUP_SIZE {
            total = max(total, op_unpack(array<u32, ACC_WORDS>(emulated_words[emulated_at(lane)])));
        }
    }
    return total;
}
