// The output is the accumulator of the elements that are numbers, in the words of its bytes: limbs of the sum, flags, how many they are, limbs
// of the sum of squares.
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

fn exact_store(specials: u32) {
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
