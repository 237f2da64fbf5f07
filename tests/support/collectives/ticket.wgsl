// The last workgroup learns the total of all; the others learn their own.

struct Params {
    zero: u32,
    workgroups: u32,
}

struct Ticket {
    delivered: atomic<u32>,
    partials: array<atomic<u32>>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;
@group(0) @binding(3) var<storage, read_write> totals: Ticket;

fn keep_words(slot: u32, words: vec2<u32>, invocation: gridfold_Invocation) {
    if invocation.local_invocation_index == 0u {
        output[2u * slot] = words.x;
        output[2u * slot + 1u] = words.y;
    }
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    // Every kernel has all bindings.
    _ = params.zero;
    let number = workgroup.workgroup_id.x;
    let value = value_at(number * gridfold_WORKGROUP_SIZE + invocation.local_invocation_index);
    let finished = op_device_reduce(value, params.workgroups, workgroup, invocation);
    keep_words(2u * number, vec2<u32>(select(0u, 1u, finished.is_last), 0u), invocation);
    keep(2u * number + 1u, finished.total, invocation);
}
