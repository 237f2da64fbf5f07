// Whether any lane's value is out of range: one that is has left this word. Memory may have any other one before the first call. If it has this
// one, values go the other way, to the same result.
const OUT_OF_RANGE = 0x9e3779b9u;

var<workgroup> out_of_range: atomic<u32>;

// Waits for all lanes, and is the same for all of them.
fn any_is_out_of_range() -> bool {
    return workgroupUniformLoad(&out_of_range) == OUT_OF_RANGE;
}

// When all lanes know that one is: so that none is in the next call.
fn range_forget(invocation: Invocation) {
    if invocation.local_invocation_index == 0u {
        atomicStore(&out_of_range, 0u);
    }
    workgroupBarrier();
}
