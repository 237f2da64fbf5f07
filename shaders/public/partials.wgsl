// Accumulators in a buffer of the kernel's, where workgroups find each other's: as atomics, which all of them see.

// In one dimension of a dispatch.
const MAX_WORKGROUPS = 65535u;

fn partial_store(at: u32, acc: Acc) {
    var packed = op_pack(acc);
    for (var i = 0u; i < ACC_WORDS; i++) {
        atomicStore(&ticket.partials[at * ACC_WORDS + i], packed[i]);
    }
}

fn partial_load(at: u32) -> Acc {
    var packed: array<u32, ACC_WORDS>;
    for (var i = 0u; i < ACC_WORDS; i++) {
        packed[i] = atomicLoad(&ticket.partials[at * ACC_WORDS + i]);
    }
    return op_unpack(packed);
}

// Makes a tree of the first `count`, as lanes' values have in tree.wgsl@memory, and combines its nodes.
fn partials_total(count: u32, invocation: Invocation) -> Acc {
    for (var distance = 1u; distance < count; distance <<= 1u) {
        let step = 2u * distance;
        let pairs = count / step;
        for (var pair = invocation.local_invocation_index; pair < pairs; pair += WORKGROUP_SIZE) {
            let node = step * (pair + 1u) - 1u;
            partial_store(node, op_combine_any(partial_load(node - distance), partial_load(node)));
        }
        storageBarrier();
    }
    var total = op_identity();
    var done = 0u;
    for (var run = 1u << firstLeadingBit(MAX_WORKGROUPS); run > 0u; run >>= 1u) {
        if (count & run) != 0u {
            let next = partial_load(done + run - 1u);
            if done == 0u {
                total = next;
            } else {
                total = op_combine_any(total, next);
            }
            done += run;
        }
    }
    return total;
}
