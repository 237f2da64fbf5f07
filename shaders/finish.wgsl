// The end of a reduction by atomics: the accumulator becomes the result, and the identity again, so
// that it is ready for the next one.

// Not atomic here: there is a single invocation.
@group(0) @binding(5) var<storage, read_write> accumulator: array<u32, ACC_WORDS>;

@compute @workgroup_size(1)
fn finish() {
    let total = accumulator;
    accumulator = op_pack(op_identity());
    result_store(op_unpack(total));
}
