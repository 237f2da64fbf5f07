fn op_subgroup(value: Acc) -> Acc {
    if FOLD == FOLD_SUM {
        return subgroupAdd(value);
    }
    if FOLD == FOLD_PRODUCT {
        return subgroupMul(value);
    }
    if FOLD == FOLD_AND {
        return subgroupAnd(value);
    }
    if FOLD == FOLD_OR {
        return subgroupOr(value);
    }
    return subgroupXor(value);
}
