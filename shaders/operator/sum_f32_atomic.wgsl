// Floats are added by the device itself, where it can.
alias AtomicWord = f32;

fn accumulate(total: Acc) {
    atomicAdd(&accumulator[0], bitcast<f32>(total));
}
