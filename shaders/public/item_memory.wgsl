// The value of another lane of the subgroup, through memory.
fn item_of_lane(value: Item, lane: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    workgroup_share(value, invocation);
    return item_load((invocation.local_invocation_index & ~(SUBGROUP_SIZE - 1u)) + lane);
}
