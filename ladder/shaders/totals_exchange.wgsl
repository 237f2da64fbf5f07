// Totals that all invocations add to. They are 0 at the beginning.
//
// For devices that have no atomic addition of floats, which WGSL does without: the sum replaces what was there if that is
// still there, and otherwise everything begins anew. In each round some invocation of the device succeeds, so the loop ends; but
// the others were there for nothing, and the more invocations there are, the more of them.
@group(0) @binding(2) var<storage, read_write> totals: array<atomic<u32>>;

fn total_add(i: u32, x: f32) {
    var seen = atomicLoad(&totals[i]);
    loop {
        let sum = bitcast<u32>(bitcast<f32>(seen) + x);
        let exchange = atomicCompareExchangeWeak(&totals[i], seen, sum);
        if exchange.exchanged {
            break;
        }
        seen = exchange.old_value;
    }
}
