// What a workgroup is told: the launch is its job. The last blocks come first, because a block with an edge takes
// longer.
fn job_of(workgroup: WorkgroupBuiltins) -> Params {
    var job = params;
    job.block = params.blocks - 1u - min(workgroup.workgroup_id.x, params.blocks - 1u);
    // Some drivers in software compile a shader anew for each dispatch, with parameters in it that conditions depend on. These
    // could be of anything, as far as they see.
    let nothing = nothing_of(params) & workgroup.workgroup_id.x;
    job.blocks |= nothing;
    job.flags |= nothing;
    job.log2_span |= nothing;
    return job;
}
