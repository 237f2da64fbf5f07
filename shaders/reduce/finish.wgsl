// The end of a reduction by atomics: the accumulator becomes the result, and the identity again, so
// that it is ready for the next one.

// Not atomic here: there is a single invocation.
@group(0) @binding(5) var<storage, read_write> accumulator: array<u32, ACC_WORDS>;

@compute @workgroup_size(1)
fn finish() {
    var total: array<u32, ACC_WORDS>;
    let identity = op_pack(op_identity());
    for (var i = 0u; i < ACC_WORDS; i++) {
        total[i] = accumulator[i];
        accumulator[i] = identity[i];
    }
    let len = vec2<u32>(params.len_low, params.len_high);
    result_store(params.result_index, op_unpack(total), len, params.flags);
}
