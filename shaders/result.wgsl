// The output.
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

fn result_store(total: Acc) {
    result[params.result_index] = op_finish(total);
}
