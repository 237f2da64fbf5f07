// The bin of an element, among all keys of edges.

// The last one whose edge is not above it.
fn bin_of(job: Params, first: Key, last: Key, value: Elem) -> u32 {
    let key = elem_key(value);
    var bin = 0u;
    for (var step = job.state_before; step > 0u; step >>= 1u) {
        let next = bin + step;
        // Lazy: an edge is loaded.
        if next < job.initial_low && !key_less(key, edge_key(next)) {
            bin = next;
        }
    }
    return select(bin, NO_BIN, key_less(key, first) | key_less(last, key));
}
