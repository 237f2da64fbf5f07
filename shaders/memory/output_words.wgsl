// A result for each element, from any word of the binding on.

@group(0) @binding(8) var<storage, read_write> output: array<u32>;

fn output_word(index: u32) -> u32 {
    return output[index];
}

fn output_vector(index: u32) -> vec4<u32> {
    let first = 4u * index;
    return vec4<u32>(output[first], output[first + 1u], output[first + 2u], output[first + 3u]);
}

fn output_store(job: Params, at: u32, total: Before) {
    if (job.begin <= at) & (at < job.end) {
        let words = before_finish(total, len_at(job, at));
        for (var i = 0u; i < OUT_WORDS; i++) {
            output[at * OUT_WORDS + job.right_base + i] = words[i];
        }
    }
}

// The results of four elements in a row, of which the launch may have some.
fn outputs_store4(job: Params, at: u32, totals: Before4) {
    output_store(job, at, totals.x);
    output_store(job, at + 1u, totals.y);
    output_store(job, at + 2u, totals.z);
    output_store(job, at + 3u, totals.w);
}
