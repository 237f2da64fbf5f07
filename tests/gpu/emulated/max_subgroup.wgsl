// Behind operator/extremum.wgsl@subgroup.

fn subgroupMax(value: Acc) -> Acc {
    emulated_show(op_pack(value)[0]);
    var total = emulated_acc(0u);
    for (var i = 1u; i < EMULATED_SIZE; i++) {
        total = max(total, emulated_acc(i));
    }
    return total;
}
