// Elements, loaded one by one.
@group(0) @binding(1) var<storage, read> elements: array<f32>;

// Past the end there are zeros: every invocation has something to add, so none has to stay away from a barrier.
fn element(i: u32) -> f32 {
    if i >= params.count {
        return 0.0;
    }
    return elements[i];
}
