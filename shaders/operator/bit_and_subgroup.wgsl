// On words, because HLSL has it for u32 alone.
fn op_subgroup(value: Acc) -> Acc {
    return elem_from_word(subgroupAnd(elem_to_word(value)));
}
