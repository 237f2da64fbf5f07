// Flags come from a mask: words or bytes that are not 0, or bits.

@group(0) @binding(6) var<storage, read> mask: array<u32>;

// Bytes of a flag. 0 stands for bits.
override FLAG_BYTES: u32 = 4u;

fn flag_at(job: Params, at: u32) -> bool {
    if FLAG_BYTES == 4u {
        return mask[job.right_base + at * (job.right_stride_bytes >> 2u)] != 0u;
    }
    if FLAG_BYTES == 1u {
        let byte = job.right_base + at * job.right_stride_bytes;
        return ((mask[byte >> 2u] >> (8u * (byte & 3u))) & 0xffu) != 0u;
    }
    let bit = job.right_base + at;
    return ((mask[bit >> 5u] >> (bit & 31u)) & 1u) != 0u;
}

// The next launch has flags of its own.
fn last_item_leave(job: Params) {}
