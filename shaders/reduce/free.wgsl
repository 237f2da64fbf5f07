// Operators that have the same result in every order: nothing is out of range, and the state between launches is one
// accumulator.

const NODES = WORKGROUP_SIZE;
const SPARE_NODES = 0u;

fn unsafe_clear(lane_index: u32) {}

fn runs_leave(job: Params, lane_index: u32) {}

fn runs_clear(job: Params, lane_index: u32) {}
