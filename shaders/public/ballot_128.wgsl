// The votes of a subgroup of any size. Not by a ballot: Metal has none of more than 32 lanes that can be trusted.
fn ballot(flag: bool, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
    let lane = subgroup_lane(workgroup, invocation);
    let bit = select(0u, 1u << (lane & 31u), flag);
    let word = lane >> 5u;
    return vec4<u32>(
        subgroupOr(select(0u, bit, word == 0u)),
        subgroupOr(select(0u, bit, word == 1u)),
        subgroupOr(select(0u, bit, word == 2u)),
        subgroupOr(select(0u, bit, word == 3u)),
    );
}
