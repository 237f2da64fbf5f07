// As in workgroup_outcome.wgsl: what was made quickly is no NaN, so this is not asked again.

fn workgroup_outcome(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    return outcome_of_words(op_finish_canonical(workgroup_total(value, workgroup, invocation)));
}
