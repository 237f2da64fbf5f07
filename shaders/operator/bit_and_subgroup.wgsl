// Word by word, because HLSL has it for u32 alone.
fn op_subgroup(value: Acc) -> Acc {
    var words = op_pack(value);
    for (var i = 0u; i < ACC_WORDS; i++) {
        words[i] = subgroupAnd(words[i]);
    }
    return op_unpack(words);
}
