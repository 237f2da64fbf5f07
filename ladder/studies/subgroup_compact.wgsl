fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return gridfold_u32_subgroup_compact(value, ((value * 2246822519u) >> 31u) == 1u, workgroup, invocation).value;
}
