// Workgroups for accumulators of more than 5 words: of more lanes these would not fit the workgroup memory that every device has.

// Invocations of a workgroup.
const WORKGROUP_SIZE = 64u;
// Elements that a workgroup loads at a time: four vectors of four elements for each invocation.
const ROUND_ITEMS = 1024u;
const LOG2_ROUND_ITEMS = 10u;
// Elements of one of the four: a row.
const ROW_ITEMS = 256u;
const LOG2_ROW_ITEMS = 8u;
// Words of the totals that a workgroup has room for, where they have an order.
const NODES_WORDS = 1024u;
