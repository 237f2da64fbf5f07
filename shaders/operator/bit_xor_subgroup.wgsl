fn op_subgroup(value: Acc) -> Acc {
    return subgroupXor(value);
}
