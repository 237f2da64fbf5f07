fn op_subgroup(value: Acc) -> Acc {
    return subgroupAdd(value);
}
