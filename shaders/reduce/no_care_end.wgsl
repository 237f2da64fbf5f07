fn launch_care(job: Params, is_only_block: bool, lane_index: u32) -> Acc {
    return op_identity();
}
