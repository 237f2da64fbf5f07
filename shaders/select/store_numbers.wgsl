// Where lengths of runs go, or where these begin. `right_base` is the word of the binding's first one.

@group(0) @binding(8) var<storage, read_write> lengths: array<u32>;

fn number_store(job: Params, index: u32, number: vec2<u32>) {
    let words = number_words(job);
    let word = job.right_base + words * index;
    lengths[word] = number.x;
    if words == 2u {
        lengths[word + 1u] = number.y;
    }
}
