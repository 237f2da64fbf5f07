// The output is the accumulator itself, in the words of its bytes: limbs, flags, number of elements.
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

fn exact_store(specials: u32) {
    for (var i = 0u; i < LIMBS; i++) {
        result[params.result_index + i] = limbs[i];
    }
    result[params.result_index + LIMBS] = specials;
    result[params.result_index + LIMBS + 1u] = params.len_low;
    result[params.result_index + LIMBS + 2u] = params.len_high;
}
