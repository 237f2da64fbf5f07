// What a workgroup is told, where each has a job of its own: from its first block on.

fn job_begin(workgroup: WorkgroupBuiltins) -> u32 {
    return jobs[workgroup.workgroup_id.x].begin;
}

fn job_end(workgroup: WorkgroupBuiltins) -> u32 {
    return jobs[workgroup.workgroup_id.x].end;
}

fn job_vec_end(workgroup: WorkgroupBuiltins) -> u32 {
    return jobs[workgroup.workgroup_id.x].vec_end;
}

fn job_base(workgroup: WorkgroupBuiltins) -> u32 {
    return jobs[workgroup.workgroup_id.x].base;
}

fn job_block_items(workgroup: WorkgroupBuiltins) -> u32 {
    return jobs[workgroup.workgroup_id.x].block_items;
}

fn job_workgroup_blocks(workgroup: WorkgroupBuiltins) -> u32 {
    return jobs[workgroup.workgroup_id.x].workgroup_blocks;
}

fn job_suspend(workgroup: WorkgroupBuiltins) -> u32 {
    return jobs[workgroup.workgroup_id.x].suspend;
}

fn job_partial(workgroup: WorkgroupBuiltins) -> u32 {
    return jobs[workgroup.workgroup_id.x].first_block;
}

fn job_first_block(workgroup: WorkgroupBuiltins) -> u32 {
    return 0u;
}
