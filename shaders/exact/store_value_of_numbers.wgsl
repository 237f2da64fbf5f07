// The output is an f32, made of the elements that are numbers.
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

fn exact_store(specials: u32) {
    numbers_take();
    result[params.result_index] = exact_value(specials, numbers);
}
