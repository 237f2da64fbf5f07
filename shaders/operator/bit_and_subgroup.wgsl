fn op_subgroup(value: Acc) -> Acc {
    return subgroupAnd(value);
}
