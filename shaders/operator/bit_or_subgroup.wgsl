fn op_subgroup(value: Acc) -> Acc {
    return subgroupOr(value);
}
