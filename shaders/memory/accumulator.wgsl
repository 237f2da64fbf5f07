// One accumulator in memory, into which everybody combines. It holds the identity before the first
// dispatch of a reduction and after the last, which takes it (finish.wgsl).
@group(0) @binding(5) var<storage, read_write> accumulator: array<atomic<AtomicWord>, ACC_WORDS>;
