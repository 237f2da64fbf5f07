// Float operations that compilers change if they may: shaders/params.wgsl, which comes before this, has the
// fence that keeps them from it. The host computes the same, and lists the formulas in this order.

@group(0) @binding(1) var<storage, read> inputs: array<u32>;
@group(0) @binding(2) var<storage, read_write> answers: array<u32>;

fn add(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) + bitcast<f32>(b));
}

fn subtract(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) - bitcast<f32>(b));
}

fn multiply(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) * bitcast<f32>(b));
}

// A workgroup for each formula, a lane for each triple.
@compute @workgroup_size(256)
fn formulas(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    // A binding also where there is no fence.
    _ = params.zero;
    let index = workgroup_id.x * WORKGROUP_SIZE + lane;
    let a = inputs[3u * index];
    let b = inputs[3u * index + 1u];
    let c = inputs[3u * index + 2u];
    let large = bitcast<u32>(12582912.0);
    var answer = 0u;
    switch workgroup_id.x {
        case 0u: { answer = add(multiply(a, b), c); }
        case 1u: { answer = subtract(c, multiply(a, b)); }
        case 2u: { answer = subtract(a, subtract(add(a, large), large)); }
        case 3u: { answer = subtract(a, subtract(add(a, b), b)); }
        case 4u: { answer = subtract(add(a, b), a); }
        default: { answer = multiply(multiply(a, bitcast<u32>(3.0)), bitcast<u32>(0.33333334)); }
    }
    answers[index] = answer;
}

const ROWS = 64u;

var<workgroup> sums: array<u32, WORKGROUP_SIZE>;

// A lane's 64 elements in four sums, the lanes' totals, and their total.
@compute @workgroup_size(256)
fn tree(@builtin(local_invocation_index) lane: u32) {
    _ = params.zero;
    var sum0 = 0u;
    var sum1 = 0u;
    var sum2 = 0u;
    var sum3 = 0u;
    for (var row = 0u; row < ROWS; row += 4u) {
        let first = row * WORKGROUP_SIZE + lane;
        sum0 = add(sum0, inputs[first]);
        sum1 = add(sum1, inputs[first + WORKGROUP_SIZE]);
        sum2 = add(sum2, inputs[first + 2u * WORKGROUP_SIZE]);
        sum3 = add(sum3, inputs[first + 3u * WORKGROUP_SIZE]);
    }
    let total = add(add(sum0, sum2), add(sum1, sum3));
    answers[lane] = total;
    sums[lane] = total;
    for (var half = WORKGROUP_SIZE / 2u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if lane < half {
            sums[lane] = add(sums[lane], sums[lane + half]);
        }
    }
    if lane == 0u {
        answers[WORKGROUP_SIZE] = sums[0];
    }
}
