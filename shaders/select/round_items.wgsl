// The flags of a round of a single pass, by what `flags_of` asks for.

fn round_flags(job: Params, places: Places, begin: u32, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return flags_of(job, places, items_at(job, places));
}
