// The value of another lane of the subgroup, through memory.
fn item_of_lane(value: Item, lane: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let begin = invocation.local_invocation_index & ~(SUBGROUP_SIZE - 1u);
    return workgroup_item(value, begin + lane, invocation);
}
