// Asks a device that has f64s whether it adds and multiplies them as IEEE-754 says, as floats.wgsl does of f32s. Each is two words, the
// low one first.

@group(0) @binding(2) var<storage, read> triples: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> answers: array<vec2<u32>>;

const PROBE_CHAIN = 256u;

// The bits of a float from 2^-20 to 2^12 or its negative, without a pattern.
fn chain_element(index: u32) -> vec2<u32> {
    let scattered = index * 0x9e3779b1u;
    let bits = (scattered ^ (scattered >> 15u)) * 0x85ebca77u;
    let low = (bits ^ (bits >> 13u)) * 0xc2b2ae35u;
    return vec2<u32>(low, (bits & 0x800fffffu) | ((1003u + ((bits >> 20u) & 31u)) << 20u));
}

// From 2^-484 to below 2^491 in magnitude, which the kernels leave to the device to multiply.
fn factor_of(bits: vec2<u32>) -> f64 {
    let field = 539u + ((bits.y >> 20u) & 2047u) % 975u;
    return f64_of(vec2<u32>(bits.x, (bits.y & 0x800fffffu) | (field << 20u)));
}

// In [1, 2).
fn significand_of(bits: vec2<u32>) -> f64 {
    return f64_of(vec2<u32>(bits.x, (bits.y & 0x000fffffu) | 0x3ff00000u));
}

@compute @workgroup_size(256)
fn probe_doubles(@builtin(local_invocation_index) lane_index: u32) {
    let a = triples[3u * lane_index];
    let b = triples[3u * lane_index + 1u];
    let c = triples[3u * lane_index + 2u];

    let sum = fence_f64(f64_of(a) + f64_of(b));
    answers[lane_index] = sum;
    answers[WORKGROUP_SIZE + lane_index] = fence_f64(f64_of(sum) + f64_of(c));
    // What the rounding of the first sum lost, if no compiler simplifies it away.
    let back = fence_f64(f64_of(sum) - f64_of(b));
    answers[2u * WORKGROUP_SIZE + lane_index] = fence_f64(f64_of(a) - f64_of(back));
    // Two roundings, if no compiler contracts them into one.
    let product = fence_f64(significand_of(a) * significand_of(b));
    answers[3u * WORKGROUP_SIZE + lane_index] = product;
    answers[4u * WORKGROUP_SIZE + lane_index] = fence_f64(f64_of(product) - significand_of(c));
    answers[5u * WORKGROUP_SIZE + lane_index] = fence_f64(factor_of(a) * factor_of(b));

    var chain = vec2<u32>(0u, 0u);
    for (var i = 0u; i < PROBE_CHAIN; i++) {
        let element = chain_element(lane_index * PROBE_CHAIN + i);
        chain = fence_f64(f64_of(chain) + f64_of(element));
    }
    answers[6u * WORKGROUP_SIZE + lane_index] = chain;
}
