// The workgroups of all kernels but those in lanes_64.wgsl.

// Invocations of a workgroup.
const WORKGROUP_SIZE = 256u;
// Elements that a workgroup loads at a time: four vectors of four elements for each invocation.
const ROUND_ITEMS = 4096u;
const LOG2_ROUND_ITEMS = 12u;
// Elements of one of the four: a row.
const ROW_ITEMS = 1024u;
const LOG2_ROW_ITEMS = 10u;
// Words of the totals that a workgroup has room for, where they have an order.
const NODES_WORDS = 2048u;
