// The output.
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

fn result_store(total: Acc) {
    result_store_at(params.result_index, total);
}

fn result_store_at(first: u32, total: Acc) {
    let words = op_finish(total);
    for (var i = 0u; i < OUT_WORDS; i++) {
        result[first + i] = words[i];
    }
}
