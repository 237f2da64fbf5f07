fn op_subgroup(value: Acc) -> Acc {
    return Acc(subgroupMax(value.least), subgroupMax(value.largest));
}
