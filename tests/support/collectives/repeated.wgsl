// Sums of a workgroup, call after call: of each the next lanes' values.
@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    for (var call = 0u; call < params.by; call++) {
        let value = input[call * gridfold_WORKGROUP_SIZE + invocation.local_invocation_index];
        let total = op_workgroup_reduce_all(bitcast<f32>(value), workgroup, invocation);
        keep_words(call, vec2<u32>(bitcast<u32>(total), 0u), invocation);
    }
}
