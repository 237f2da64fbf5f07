fn op_subgroup(value: Acc) -> Acc {
    return subgroupMul(value);
}
