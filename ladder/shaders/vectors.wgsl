// Elements, loaded four at a time: 16 bytes, the most that an instruction of any GPU loads for one invocation.
@group(0) @binding(1) var<storage, read> vectors: array<vec4<f32>>;

// The elements from 4 * i on, and zeros past the end.
fn vector(i: u32) -> vec4<f32> {
    let first = 4u * i;
    if first >= params.count {
        return vec4<f32>();
    }
    let positions = vec4<u32>(first, first + 1u, first + 2u, first + 3u);
    return select(vec4<f32>(), vectors[i], positions < vec4<u32>(params.count));
}
