// The output.
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

// The result of `len` elements, of which the first word is the lower half; or their accumulator.
fn result_store(index: u32, total: Total, len: vec2<u32>, flags: u32) {
    if (flags & FLAG_STORES_ACC) != 0u {
        let words = op_pack(total_run(total));
        for (var word = 0u; word < ACC_WORDS; word++) {
            result[index + word] = words[word];
        }
        return;
    }
    let words = op_finish(total, len);
    for (var i = 0u; i < OUT_WORDS; i++) {
        result[index + i] = words[i];
    }
}

// One accumulator in memory, into which everybody combines. It holds the identity before the first
// dispatch of a reduction and after the last, which takes it (finish.wgsl).
@if(accumulator) @group(0) @binding(5) var<storage, read_write> accumulator: array<atomic<AtomicWord>, ACC_WORDS>;
