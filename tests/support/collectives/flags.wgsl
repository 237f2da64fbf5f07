fn flag_at(index: u32) -> bool {
    return (input[index] & 1u) == 1u;
}

fn keep_flag(slot: u32, flag: bool, invocation: gridfold_Invocation) {
    keep_words(slot, vec2<u32>(select(0u, 1u, flag), 0u), invocation);
}

fn keep_number(slot: u32, number: u32, invocation: gridfold_Invocation) {
    keep_words(slot, vec2<u32>(number, 0u), invocation);
}

// What is appended to: of one workgroup, so that it can be in its memory.
var<workgroup> list_length: atomic<u32>;

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    let flag = flag_at(invocation.local_invocation_index);
    keep_number(0u, gridfold_subgroup_size(workgroup), invocation);
    keep_flag(1u, gridfold_subgroup_any(flag, workgroup, invocation), invocation);
    keep_flag(2u, gridfold_subgroup_all(flag, workgroup, invocation), invocation);
    keep_number(3u, gridfold_subgroup_count(flag, workgroup, invocation), invocation);
    let votes = gridfold_subgroup_ballot(flag, workgroup, invocation);
    keep_words(4u, votes.xy, invocation);
    keep_words(5u, votes.zw, invocation);
    keep_flag(6u, gridfold_workgroup_any(flag, workgroup, invocation), invocation);
    keep_flag(7u, gridfold_workgroup_all(flag, workgroup, invocation), invocation);
    keep_number(8u, gridfold_workgroup_count(flag, workgroup, invocation), invocation);
    keep_number(9u, gridfold_subgroup_rank(flag, workgroup, invocation), invocation);
    keep_number(10u, gridfold_workgroup_rank(flag, workgroup, invocation), invocation);
    keep_number(11u, gridfold_ballot_rank(votes, gridfold_subgroup_lane(workgroup, invocation)), invocation);
    keep_number(12u, gridfold_subgroup_index(workgroup, invocation), invocation);
    keep_number(13u, gridfold_subgroup_lanes(workgroup, invocation), invocation);
    keep_flag(14u, gridfold_workgroup_any(!flag, workgroup, invocation), invocation);
    let key = input[invocation.local_invocation_index] >> 1u;
    let same = gridfold_subgroup_match(key, 3u, workgroup, invocation);
    keep_words(15u, same.xy, invocation);
    keep_words(16u, same.zw, invocation);
    let lane = gridfold_subgroup_lane(workgroup, invocation);
    keep_number(17u, gridfold_ballot_nth(votes, lane), invocation);
    keep_words(18u, vec2<u32>(gridfold_nth_set_bit(votes.x, lane), gridfold_ballot_count(votes)), invocation);
    if invocation.local_invocation_index == 0u {
        atomicStore(&list_length, 5u);
    }
    workgroupBarrier();
    keep_number(19u, gridfold_workgroup_append(flag, workgroup, invocation), invocation);
    keep_number(20u, gridfold_workgroup_append(!flag, workgroup, invocation), invocation);
    workgroupBarrier();
    keep_number(21u, gridfold_subgroup_append(flag, workgroup, invocation), invocation);
    workgroupBarrier();
    keep_number(22u, atomicLoad(&list_length), invocation);
}
