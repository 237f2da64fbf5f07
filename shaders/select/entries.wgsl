// What the passes of a selection hand to each other: entries of four words. The first two are a number of flagged elements, the other two
// the position behind the last of them, or 0 if there is none. 64 bits each, the lower half first. Entry 0 is nothing's.
@if(all) @group(0) @binding(3) var<storage, read_write> entries: array<vec4<u32>>;

// A single pass has one launch: nothing is handed to it, and it hands nothing on. In the place of what other passes have in memory there are zeros.
@if(none) var<private> entries: array<vec4<u32>, 1>;
