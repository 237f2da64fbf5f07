// Entries are counted in the total. Where they go depends on which group comes first, so it does not count.
fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    let place = gridfold_subgroup_append(((value * 2246822519u) >> 31u) == 1u, workgroup, invocation);
    return value ^ (place & params.zero);
}
