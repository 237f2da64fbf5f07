// The output is the accumulator itself, in the words of its bytes: limbs, flags, number of elements.
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

fn exact_store(total: Total) {
    var source = total.limbs;
    for (var i = 0u; i < LIMBS; i++) {
        result[params.result_index + i] = source[i];
    }
    result[params.result_index + LIMBS] = total.specials;
    result[params.result_index + LIMBS + 1u] = params.len_low;
    result[params.result_index + LIMBS + 2u] = params.len_high;
}
