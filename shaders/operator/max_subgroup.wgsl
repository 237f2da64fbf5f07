fn op_subgroup(value: Acc) -> Acc {
    return subgroupMax(value);
}
