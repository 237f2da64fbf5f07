// What the passes of a selection hand to each other: entries of four words. The first two are a number of flagged elements, the other two
// the position behind the last of them, or 0 if there is none. 64 bits each, the lower half first. Entry 0 is nothing's.
//
// Of the parameters `partials` is the entry of the launch's first block's total, `first_node` that of what is before the block, and `span` that
// of the total of all. `base` and `stride_bytes` are of the elements, the first one's word, or byte, and the bytes between them; `right_base` and
// `right_stride_bytes` of the mask, in words, bytes or bits. `initial_low` and `initial_high` are the position of the launch's first element.
// Of the output's binding `len_low` and `len_high` are the first item, `vec_end` is how many there are, `result_index` the first one's word, or byte.
@if(all) @group(0) @binding(3) var<storage, read_write> entries: array<vec4<u32>>;

// A single pass has one launch: nothing is handed to it, and it hands nothing on. In the place of what other passes have in memory there are zeros.
@if(none) var<private> entries: array<vec4<u32>, 1>;
