fn flag_at(index: u32) -> bool {
    return (input[index] & 1u) == 1u;
}

fn keep_flag(slot: u32, flag: bool, invocation: gridfold_Invocation) {
    keep_words(slot, vec2<u32>(select(0u, 1u, flag), 0u), invocation);
}

fn keep_number(slot: u32, number: u32, invocation: gridfold_Invocation) {
    keep_words(slot, vec2<u32>(number, 0u), invocation);
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    let index = invocation.local_invocation_index;
    let width = params.width;
    let flag = flag_at(index);
    keep_number(0u, gridfold_subgroup_size(workgroup), invocation);
    keep_flag(1u, gridfold_tile_any(flag, width, workgroup, invocation), invocation);
    keep_flag(2u, gridfold_tile_all(flag, width, workgroup, invocation), invocation);
    keep_number(3u, gridfold_tile_count(flag, width, workgroup, invocation), invocation);
    let votes = gridfold_tile_ballot(flag, width, workgroup, invocation);
    keep_words(4u, votes.xy, invocation);
    keep_words(5u, votes.zw, invocation);
    keep_number(6u, gridfold_tile_rank(flag, width, workgroup, invocation), invocation);
    let same = gridfold_tile_match(input[index] >> 1u, 2u, width, workgroup, invocation);
    keep_words(7u, same.xy, invocation);
    keep_words(8u, same.zw, invocation);
    keep_number(9u, gridfold_reversed_bits(input[index], 1u + (index & 31u)), invocation);
    let item = vec2<u32>(input[index], index);
    let by = params.by;
    let source = input[index] % 40u;
    keep_words(10u, gridfold_u32x2_tile_shuffle(item, source, width, workgroup, invocation), invocation);
    keep_words(11u, gridfold_u32x2_tile_shuffle_up(item, by, width, workgroup, invocation), invocation);
    keep_words(12u, gridfold_u32x2_tile_shuffle_down(item, by, width, workgroup, invocation), invocation);
    keep_words(13u, gridfold_u32x2_tile_shuffle_xor(item, by, width, workgroup, invocation), invocation);
    keep_words(14u, gridfold_u32x2_tile_broadcast(item, by, width, workgroup, invocation), invocation);
    let kept = gridfold_u32x2_tile_compact(item, flag, width, workgroup, invocation);
    keep_words(15u, kept.value, invocation);
    keep_number(16u, kept.count, invocation);
}
