struct Ticket {
    delivered: atomic<u32>,
    partials: array<atomic<u32>>,
}

@group(0) @binding(2) var<storage, read_write> ticket: Ticket;

// Numbers that are so small that all of them together are no more than a word holds.
fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    let finished = sum_device_reduce(value & 0xfffu, params.workgroups, workgroup, invocation);
    // All workgroups do the same.
    return finished.total / select(1u, params.workgroups, finished.is_last);
}
