fn op_subgroup(value: Acc) -> Acc {
    return subgroupMin(value);
}
