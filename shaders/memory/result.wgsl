// The output.
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

// The result of `len` elements, of which the first word is the lower half.
fn result_store(index: u32, total: Acc, len: vec2<u32>) {
    let words = op_finish(total, len);
    for (var i = 0u; i < OUT_WORDS; i++) {
        result[index + i] = words[i];
    }
}
