// Behind operator/integer.wgsl@subgroup.

fn emulated_fold(value: Acc) -> Acc {
    emulated_show(op_pack(value)[0]);
    var total = emulated_acc(0u);
    for (var i = 1u; i < EMULATED_SIZE; i++) {
        total = op_combine(total, emulated_acc(i));
    }
    return total;
}

fn subgroupAdd(value: Acc) -> Acc {
    return emulated_fold(value);
}

fn subgroupMul(value: Acc) -> Acc {
    return emulated_fold(value);
}

fn subgroupAnd(value: Acc) -> Acc {
    return emulated_fold(value);
}

fn subgroupOr(value: Acc) -> Acc {
    return emulated_fold(value);
}

fn subgroupXor(value: Acc) -> Acc {
    return emulated_fold(value);
}
