// A result for each element. Those of four elements that lanes load together are whole vectors of the binding.

@group(0) @binding(8) var<storage, read_write> output: array<vec4<u32>>;

fn output_word(index: u32) -> u32 {
    return output[index >> 2u][index & 3u];
}

fn output_vector(index: u32) -> vec4<u32> {
    return output[index];
}

// The results of four elements in a row, of which the launch may have some.
fn outputs_store4(job: Params, at: u32, totals: Acc4) {
    let x = op_finish(totals.x, len_at(job, at));
    let y = op_finish(totals.y, len_at(job, at + 1u));
    let z = op_finish(totals.z, len_at(job, at + 2u));
    let w = op_finish(totals.w, len_at(job, at + 3u));
    // In front of the output `word` wraps around below 0. Then `(word >> 2u) + 1u` is 2^30, and not the output's first vector. So each vector is found by its own
    // first word.
    let word = at * OUT_WORDS + job.right_base;
    let has = vec4<bool>(
        (job.begin <= at) & (at < job.end),
        (job.begin <= at + 1u) & (at + 1u < job.end),
        (job.begin <= at + 2u) & (at + 2u < job.end),
        (job.begin <= at + 3u) & (at + 3u < job.end),
    );
    // Of a result of two words the last one.
    let last = OUT_WORDS - 1u;
    if OUT_WORDS == 1u {
        output_vector_store(word >> 2u, vec4<u32>(x[0], y[0], z[0], w[0]), has);
    } else {
        output_vector_store(word >> 2u, vec4<u32>(x[0], x[last], y[0], y[last]), has.xxyy);
        output_vector_store((word + 4u) >> 2u, vec4<u32>(z[0], z[last], w[0], w[last]), has.zzww);
    }
}

// What the launch does not have stays: no other lane of the dispatch stores to the vector.
fn output_vector_store(index: u32, words: vec4<u32>, has: vec4<bool>) {
    if all(has) {
        output[index] = words;
    } else if any(has) {
        output[index] = select(output[index], words, has);
    }
}
