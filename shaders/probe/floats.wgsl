// Asks a device whether it adds and multiplies floats as IEEE-754 says, in the order that is asked for,
// where nothing is subnormal, infinite or NaN. The host does the same, and compares.

@group(0) @binding(2) var<storage, read> triples: array<u32>;
@group(0) @binding(4) var<storage, read_write> answers: array<u32>;

const PROBE_CHAIN = 256u;

// The bits of a float from 2^-20 to 2^12 or its negative, without a pattern.
fn chain_element(index: u32) -> u32 {
    let scattered = index * 0x9e3779b1u;
    let bits = (scattered ^ (scattered >> 15u)) * 0x85ebca77u;
    return (bits & 0x807fffffu) | ((107u + ((bits >> 23u) & 31u)) << 23u);
}

// From 2^-51 to below 2^43 in magnitude, which the kernels leave to the device to multiply.
fn factor_of(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let field = 76u + ((bits >> 23u) & 255u) % 94u;
    return bitcast<f32>((bits & 0x807fffffu) | (field << 23u));
}

// In [1, 2).
fn significand_of(x: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) & 0x007fffffu) | 0x3f800000u);
}

@compute @workgroup_size(256)
fn probe_floats(@builtin(local_invocation_index) lane_index: u32) {
    let a = bitcast<f32>(triples[3u * lane_index]);
    let b = bitcast<f32>(triples[3u * lane_index + 1u]);
    let c = bitcast<f32>(triples[3u * lane_index + 2u]);

    let sum = fence(a + b);
    answers[lane_index] = sum;
    answers[WORKGROUP_SIZE + lane_index] = fence(bitcast<f32>(sum) + c);
    // What the rounding of the first sum lost, if no compiler simplifies it away.
    let back = fence(bitcast<f32>(sum) - b);
    answers[2u * WORKGROUP_SIZE + lane_index] = fence(a - bitcast<f32>(back));
    // Two roundings, if no compiler contracts them into one.
    let product = fence(significand_of(a) * significand_of(b));
    answers[3u * WORKGROUP_SIZE + lane_index] = product;
    answers[4u * WORKGROUP_SIZE + lane_index] = fence(bitcast<f32>(product) - significand_of(c));
    answers[5u * WORKGROUP_SIZE + lane_index] = fence(factor_of(a) * factor_of(b));

    var chain = 0u;
    for (var i = 0u; i < PROBE_CHAIN; i++) {
        let element = chain_element(lane_index * PROBE_CHAIN + i);
        chain = fence(bitcast<f32>(chain) + bitcast<f32>(element));
    }
    answers[6u * WORKGROUP_SIZE + lane_index] = chain;
}
