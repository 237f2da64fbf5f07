// The output is the accumulator itself, in the words of its bytes: limbs of the sum, flags, number of elements, limbs of
// the sum of squares.
@if(moments) @group(0) @binding(4) var<storage, read_write> result: array<u32>;

@if(moments) fn exact_store(specials: u32) {
    const SUM_LIMBS = 10u;
    const SQUARES_LIMBS = 20u;
    for (var i = 0u; i < SUM_LIMBS; i++) {
        result[params.result_index + i] = limbs[SQUARES_LIMBS + i];
    }
    result[params.result_index + SUM_LIMBS] = specials;
    result[params.result_index + SUM_LIMBS + 1u] = params.len_low;
    result[params.result_index + SUM_LIMBS + 2u] = params.len_high;
    for (var i = 0u; i < SQUARES_LIMBS; i++) {
        result[params.result_index + SUM_LIMBS + 3u + i] = limbs[i];
    }
}

// The output is the accumulator of the elements that are numbers, in the words of its bytes: limbs of the sum, flags, how many they are, limbs
// of the sum of squares.
@if(number_moments) @group(0) @binding(4) var<storage, read_write> result: array<u32>;

@if(number_moments) fn exact_store(specials: u32) {
    const SUM_LIMBS = 10u;
    const SQUARES_LIMBS = 20u;
    numbers_take();
    for (var i = 0u; i < SUM_LIMBS; i++) {
        result[params.result_index + i] = limbs[SQUARES_LIMBS + i];
    }
    result[params.result_index + SUM_LIMBS] = specials;
    result[params.result_index + SUM_LIMBS + 1u] = numbers.x;
    result[params.result_index + SUM_LIMBS + 2u] = numbers.y;
    for (var i = 0u; i < SQUARES_LIMBS; i++) {
        result[params.result_index + SUM_LIMBS + 3u + i] = limbs[i];
    }
}

// The output is an f32.
@if(value) @group(0) @binding(4) var<storage, read_write> result: array<u32>;

@if(value) fn exact_store(specials: u32) {
    result[params.result_index] = exact_value(specials, vec2<u32>(params.len_low, params.len_high));
}

// The output is an f64, of two words.
@if(value_f64) @group(0) @binding(4) var<storage, read_write> result: array<u32>;

@if(value_f64) fn exact_store(specials: u32) {
    let value = exact_value(specials, vec2<u32>(params.len_low, params.len_high));
    result[params.result_index] = value.x;
    result[params.result_index + 1u] = value.y;
}

// The output is an f32, made of the elements that are numbers.
@if(value_of_numbers) @group(0) @binding(4) var<storage, read_write> result: array<u32>;

@if(value_of_numbers) fn exact_store(specials: u32) {
    numbers_take();
    result[params.result_index] = exact_value(specials, numbers);
}
