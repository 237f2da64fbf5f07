// How many invocations a workgroup has.

// Workgroups for accumulators of more than 5 words: of more lanes these would not fit the workgroup memory that every device has.

// Invocations of a workgroup.
@if(of_64) const WORKGROUP_SIZE = 64u;
// Elements that a workgroup loads at a time: four vectors of four elements for each invocation.
@if(of_64) const ROUND_ITEMS = 1024u;
@if(of_64) const LOG2_ROUND_ITEMS = 10u;
// Elements of one of the four: a row.
@if(of_64) const ROW_ITEMS = 256u;
@if(of_64) const LOG2_ROW_ITEMS = 8u;
// Words of the totals that a workgroup has room for, where they have an order.
@if(of_64) const NODES_WORDS = 1024u;

// The workgroups of all other kernels.

// Invocations of a workgroup.
@if(of_256) const WORKGROUP_SIZE = 256u;
// Elements that a workgroup loads at a time: four vectors of four elements for each invocation.
@if(of_256) const ROUND_ITEMS = 4096u;
@if(of_256) const LOG2_ROUND_ITEMS = 12u;
// Elements of one of the four: a row.
@if(of_256) const ROW_ITEMS = 1024u;
@if(of_256) const LOG2_ROW_ITEMS = 10u;
// Words of the totals that a workgroup has room for, where they have an order.
@if(of_256) const NODES_WORDS = 2048u;
