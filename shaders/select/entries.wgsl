// What the passes of a selection hand to each other: entries of four words. The first two are a number of flagged elements, the other two
// the position behind the last of them, or 0 if there is none. 64 bits each, the lower half first. Entry 0 is nothing's.
@group(0) @binding(3) var<storage, read_write> entries: array<vec4<u32>>;
