// The flags of a round, by what `flags_of` asks for.

fn round_flags(
    job: Params,
    places: Places,
    items: Items,
    begin: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> u32 {
    return flags_of(job, places, items);
}
