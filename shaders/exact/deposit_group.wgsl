// The loop keeps the code short: most sums never come here.
fn deposit_group(lane_index: u32, group: Group) {
    var rest = group;
    for (var load = 0u; load < 4u; load++) {
        deposit_elements(lane_index, rest.load0);
        rest = Group(rest.load1, rest.load2, rest.load3, rest.load0);
    }
}
