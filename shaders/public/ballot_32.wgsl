// The votes of a subgroup of at most 32 lanes.
fn ballot(flag: bool, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
    return vec4<u32>(subgroupBallot(flag).x, 0u, 0u, 0u);
}
