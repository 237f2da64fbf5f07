// What each workgroup is told, where they have nothing to do with each other.
@group(0) @binding(7) var<storage, read> jobs: array<Params>;

fn job_of(workgroup: WorkgroupBuiltins) -> Params {
    return jobs[workgroup.workgroup_id.x];
}
