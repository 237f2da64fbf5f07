// A pass that looks at flags alone.

fn neighbours_at(job: Params, at: u32, end: u32) -> Neighbours {
    return Neighbours();
}
