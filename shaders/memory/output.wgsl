// A result for each element. Those of four elements that lanes load together are whole vectors of the binding.

@if(vectors) @group(0) @binding(8) var<storage, read_write> output: array<vec4<u32>>;

@if(vectors) fn output_word(index: u32) -> u32 {
    return output[index >> 2u][index & 3u];
}

@if(vectors) fn output_vector(index: u32) -> vec4<u32> {
    return output[index];
}

// The results of four elements in a row, of which the launch may have some.
@if(vectors) fn outputs_store4(job: Params, at: u32, totals: Acc4) {
    let x = op_finish(totals.x, len_at(job, at));
    let y = op_finish(totals.y, len_at(job, at + 1u));
    let z = op_finish(totals.z, len_at(job, at + 2u));
    let w = op_finish(totals.w, len_at(job, at + 3u));
    // In front of the output `word` wraps around below 0. Then `(word >> 2u) + 1u` is 2^30, and not the output's first vector. So each vector is found by its own
    // first word.
    let word = at * OUT_WORDS + job.output_base;
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
@if(vectors) fn output_vector_store(index: u32, words: vec4<u32>, has: vec4<bool>) {
    if all(has) {
        output[index] = words;
    } else if any(has) {
        output[index] = select(output[index], words, has);
    }
}

// A result for each element, from any word of the binding on.

@if(words) @group(0) @binding(8) var<storage, read_write> output: array<u32>;

@if(words) fn output_word(index: u32) -> u32 {
    return output[index];
}

@if(words) fn output_vector(index: u32) -> vec4<u32> {
    let first = 4u * index;
    return vec4<u32>(output[first], output[first + 1u], output[first + 2u], output[first + 3u]);
}

@if(words) fn output_store(job: Params, at: u32, total: Before) {
    if (job.begin <= at) & (at < job.end) {
        let words = before_finish(total, len_at(job, at));
        for (var i = 0u; i < OUT_WORDS; i++) {
            output[at * OUT_WORDS + job.output_base + i] = words[i];
        }
    }
}

// The results of four elements in a row, of which the launch may have some.
@if(words) fn outputs_store4(job: Params, at: u32, totals: Before4) {
    output_store(job, at, totals.x);
    output_store(job, at + 1u, totals.y);
    output_store(job, at + 2u, totals.z);
    output_store(job, at + 3u, totals.w);
}
