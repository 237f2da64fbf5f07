// The parameters of a workgroup: the launch is its job. It takes the last blocks first, because a block with an edge takes
// longer.
@if(launch) fn job_of(workgroup: WorkgroupBuiltins) -> Params {
    var job = params;
    job.block = params.blocks - 1u - min(workgroup.workgroup_id.x, params.blocks - 1u);
    // Some drivers in software compile a shader anew for each dispatch, with the values of parameters that conditions depend on. `nothing` hides
    // these values, and `job_hide` hides the primitive's own.
    let nothing = nothing_of(params) & workgroup.workgroup_id.x;
    job.blocks |= nothing;
    job.flags |= nothing;
    return job_hide(job, nothing);
}

// Each primitive says which block of the sequence is the launch's first one, and hides parameters of its own that conditions depend on.

@if(of_reductions) fn origin_block_of(job: Params) -> u32 {
    return (job.span << job.log2_span) + job.first_node;
}

@if(of_reductions) fn job_hide(job: Params, nothing: u32) -> Params {
    var hidden = job;
    hidden.log2_span |= nothing;
    return hidden;
}

@if(of_scans) fn origin_block_of(job: Params) -> u32 {
    return job.first_block;
}

// Elements are numbered in their segments.
@if(of_segments) fn origin_block_of(job: Params) -> u32 {
    return 0u;
}

@if(of_segments) fn job_hide(job: Params, nothing: u32) -> Params {
    var hidden = job;
    hidden.level |= nothing;
    return hidden;
}

@if(of_selections) fn job_hide(job: Params, nothing: u32) -> Params {
    var hidden = job;
    hidden.item_words |= nothing;
    return hidden;
}

@if(of_copies) fn job_hide(job: Params, nothing: u32) -> Params {
    var hidden = job;
    hidden.log2_copies |= nothing;
    return hidden;
}

@if(hides_none) fn job_hide(job: Params, nothing: u32) -> Params {
    return job;
}

// A dispatch may have many reductions: then a table in scratch memory tells each workgroup its job.

// A pipeline constant, because others pay for a look at the table even if there is none: on an NVIDIA H200 sums of 2^10 elements took 2 to 4 % longer.
@if(table) override HAS_JOBS: bool = false;

@if(table) var<workgroup> own_job: array<u32, PARAM_WORDS>;

@if(table) fn job_load(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Params {
    if HAS_JOBS {
        return job_from_table(workgroup, invocation);
    }
    return job_of(workgroup);
}

@if(table) fn job_from_table(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Params {
    let word = lane_index_of(workgroup, invocation);
    if word < PARAM_WORDS {
        own_job[word] = scratch.words[params.jobs + workgroup.workgroup_id.x * PARAM_WORDS + word];
    }
    return params_of_words(workgroupUniformLoad(&own_job));
}
