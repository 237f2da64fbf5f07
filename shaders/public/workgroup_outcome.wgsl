// A workgroup's total as the result.

fn workgroup_outcome(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    return outcome_of(workgroup_total(value, workgroup, invocation), WORKGROUP_SIZE);
}
