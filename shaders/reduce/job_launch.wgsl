// What a workgroup is told: the launch is its job. The last blocks come first, because a block with an edge takes
// longer.
fn job_of(workgroup: WorkgroupBuiltins) -> Params {
    var job = params;
    job.block = params.blocks - 1u - min(workgroup.workgroup_id.x, params.blocks - 1u);
    return job;
}
