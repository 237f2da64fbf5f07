// Floats are added by the device itself, where it can.
alias AtomicWord = f32;

fn accumulate(at: u32, total: Acc) {
    atomicAdd(&accumulator[at], bitcast<f32>(total));
}
