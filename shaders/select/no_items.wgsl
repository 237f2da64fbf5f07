// A pass that looks at flags alone.

fn four_at(job: Params, places: Places, i: u32) -> Four {
    return Four();
}
