// What a workgroup is told: the launch is its job. The last blocks come first, because a block with an edge takes
// longer.
@if(launch) fn job_of(workgroup: WorkgroupBuiltins) -> Params {
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

// A dispatch may have many reductions: then a table in scratch memory tells each workgroup its job. `partials` is the word that the table begins at.

// A pipeline constant, because others pay for a look at the table even if there is none: on an NVIDIA H200 sums of 2^10 elements took 2 to 4 % longer.
@if(table) override HAS_JOBS: bool = false;

// All of `Params`.
@if(table) const JOB_WORDS = 27u;

@if(table) var<workgroup> own_job: array<u32, JOB_WORDS>;

@if(table) fn job_load(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Params {
    if HAS_JOBS {
        return job_from_table(workgroup, invocation);
    }
    return job_of(workgroup);
}

@if(table) fn job_from_table(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Params {
    let word = lane_index_of(workgroup, invocation);
    if word < JOB_WORDS {
        own_job[word] = scratch.words[params.partials + workgroup.workgroup_id.x * JOB_WORDS + word];
    }
    let words = workgroupUniformLoad(&own_job);
    return Params(
        words[0],
        words[1],
        words[2],
        words[3],
        words[4],
        words[5],
        words[6],
        words[7],
        words[8],
        words[9],
        words[10],
        words[11],
        words[12],
        words[13],
        words[14],
        words[15],
        words[16],
        words[17],
        words[18],
        words[19],
        words[20],
        words[21],
        words[22],
        words[23],
        words[24],
        words[25],
        words[26],
    );
}
