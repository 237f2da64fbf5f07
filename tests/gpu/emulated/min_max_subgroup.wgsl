// Behind operator/extremum.wgsl@both_subgroup, which asks for the largest of words.

fn subgroupMax(value: u32) -> u32 {
    emulated_show(value);
    var total = emulated_see(0u);
    for (var i = 1u; i < EMULATED_SIZE; i++) {
        total = max(total, emulated_see(i));
    }
    return total;
}
