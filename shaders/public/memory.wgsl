// What lanes exchange through workgroup memory, word by word: every collective uses the same memory, and begins with a barrier.

// Words that a lane has at most.
const LANE_WORDS = 1u;
const MEMORY_WORDS = WORKGROUP_SIZE * LANE_WORDS;

var<workgroup> memory: array<u32, MEMORY_WORDS>;
