// What a workgroup is told: the launch is its job, and it takes its share of the blocks.

fn job_begin(workgroup: WorkgroupBuiltins) -> u32 {
    return params.begin;
}

fn job_end(workgroup: WorkgroupBuiltins) -> u32 {
    return params.end;
}

fn job_vec_end(workgroup: WorkgroupBuiltins) -> u32 {
    return params.vec_end;
}

fn job_base(workgroup: WorkgroupBuiltins) -> u32 {
    return params.base;
}

fn job_block_items(workgroup: WorkgroupBuiltins) -> u32 {
    return params.block_items;
}

fn job_workgroup_blocks(workgroup: WorkgroupBuiltins) -> u32 {
    return params.workgroup_blocks;
}

fn job_suspend(workgroup: WorkgroupBuiltins) -> u32 {
    return params.suspend;
}

fn job_partial(workgroup: WorkgroupBuiltins) -> u32 {
    return params.first_block;
}

fn job_first_block(workgroup: WorkgroupBuiltins) -> u32 {
    return workgroup.workgroup_id.x * params.workgroup_blocks;
}
