// A dispatch can have many reductions: then a table in scratch memory tells each workgroup its job.

// All words of `Params`.
const JOB_WORDS = 27u;
const FLAG_HAS_JOBS = 262144u;

var<workgroup> own_job: Params;

fn job_word(entry: u32, word: u32) -> u32 {
    return scratch.words[params.partials + entry * JOB_WORDS + word];
}

fn job_entry(entry: u32) -> Params {
    return Params(
        job_word(entry, 0u),
        job_word(entry, 1u),
        job_word(entry, 2u),
        job_word(entry, 3u),
        job_word(entry, 4u),
        job_word(entry, 5u),
        job_word(entry, 6u),
        job_word(entry, 7u),
        job_word(entry, 8u),
        job_word(entry, 9u),
        job_word(entry, 10u),
        job_word(entry, 11u),
        job_word(entry, 12u),
        job_word(entry, 13u),
        job_word(entry, 14u),
        job_word(entry, 15u),
        job_word(entry, 16u),
        job_word(entry, 17u),
        job_word(entry, 18u),
        job_word(entry, 19u),
        job_word(entry, 20u),
        job_word(entry, 21u),
        job_word(entry, 22u),
        job_word(entry, 23u),
        job_word(entry, 24u),
        job_word(entry, 25u),
        job_word(entry, 26u),
    );
}

fn job_load(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Params {
    if (params.flags & FLAG_HAS_JOBS) == 0u {
        return job_of(workgroup);
    }
    if lane_index_of(workgroup, invocation) == 0u {
        own_job = job_entry(workgroup.workgroup_id.x);
    }
    return workgroupUniformLoad(&own_job);
}
