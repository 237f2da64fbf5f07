// For operators whose arithmetic is right for any values.

// Behind a block's nodes: a value of each lane, and the totals of 4, 16 and 64 lanes.
const EXTRA_NODES = WORKGROUP_SIZE + WORKGROUP_SIZE / 4u + WORKGROUP_SIZE / 16u + WORKGROUP_SIZE / 64u;
