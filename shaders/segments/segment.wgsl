// Segments of a sequence, each reduced as if it were alone.
//
// Sixteen neighbours of a segment, counted from its first element, are a chunk: a run of the pairwise order. The totals of chunks are the
// items of the next level, of which sixteen are a chunk again. So each level has as many items of a segment that are in no chunk as one
// hexadecimal digit of its length says. However long segments are, a lane has a chunk, or a segment's digits.
//
// Of the parameters `partials` is the number of segments, `log2_span` the level, in binary digits, `state_before` and `state_after` where
// the items of the level are in scratch memory, and of the next one. By offsets `len_low` is the number of elements, and
// `right_head_bytes` and `right_stride_bytes` say where offsets are. Else segments have `initial_low` elements, from each to the next
// `initial_high` elements of the sequence; so many segments lie within each other. An order, from word `right_base` of the offsets' binding on,
// says which element of the input is which of the sequence.

@group(0) @binding(6) var<storage, read> offsets: array<u32>;

const LOG2_CHUNK_ITEMS = 4u;
const CHUNK_ITEMS = 16u;

// What a segment has of a level's items.
struct Segment {
    first: u32,
    count: u32,
    // From one item to the next.
    step: u32,
}

fn offset_place(job: Params, index: u32) -> u32 {
    return (job.right_head_bytes + index * job.right_stride_bytes) >> 2u;
}

// An offset as it is in memory, or its lower half. Where there are only beginnings, the last one stands in for the end.
fn offset_word(job: Params, index: u32) -> u32 {
    let last = select(job.partials, max(job.partials, 1u) - 1u, (job.flags & FLAG_HAS_BEGINS) != 0u);
    return offsets[offset_place(job, min(index, last))];
}

// The offset that has this word: never behind the elements, whatever it is.
fn offset_of_word(job: Params, index: u32, word: u32) -> u32 {
    if (job.flags & FLAG_HAS_BEGINS) != 0u && index >= job.partials {
        return job.len_low;
    }
    if (job.flags & FLAG_HAS_WIDE_OFFSETS) != 0u && offsets[offset_place(job, index) + 1u] != 0u {
        return job.len_low;
    }
    return min(word, job.len_low);
}

fn offset_load(job: Params, index: u32) -> u32 {
    return offset_of_word(job, index, offset_word(job, index));
}

// The words of a segment's two offsets, on their way from memory while a lane does something else: nothing looks at them before.
struct OffsetWords {
    segment: u32,
    begin: u32,
    end: u32,
}

fn offset_words(job: Params, segment: u32) -> OffsetWords {
    return OffsetWords(segment, offset_word(job, segment), offset_word(job, segment + 1u));
}

// Where the elements of that segment begin and end.
fn offsets_of_words(job: Params, words: OffsetWords) -> vec2<u32> {
    let begin = offset_of_word(job, words.segment, words.begin);
    return vec2<u32>(begin, max(begin, offset_of_word(job, words.segment + 1u, words.end)));
}

fn segment_at(job: Params, segment: u32, level: u32) -> Segment {
    if (job.flags & FLAG_HAS_OFFSETS) != 0u {
        let begin = offset_load(job, segment);
        let end = max(begin, offset_load(job, segment + 1u));
        return Segment(begin >> level, (end - begin) >> level, 1u);
    }
    let step = job.initial_high;
    let count = job.initial_low >> level;
    // A division takes as long as a whole short segment.
    if step == 1u {
        return Segment(segment * count, count, 1u);
    }
    let outer = segment / step;
    return Segment(outer * count * step + (segment - outer * step), count, step);
}

// The items of a level, of all segments.
fn level_items(job: Params, level: u32) -> u32 {
    if (job.flags & FLAG_HAS_OFFSETS) != 0u {
        return job.len_low >> level;
    }
    return job.partials * (job.initial_low >> level);
}

// An item that a segment has: an element, or a total in scratch memory, where those of the level begin at `totals`.
fn segment_item(job: Params, own: Segment, level: u32, totals: u32, at: u32) -> Acc {
    let index = own.first + at * own.step;
    if level != 0u {
        return scratch_load(totals + index);
    }
    var place = index;
    if (job.flags & FLAG_HAS_ORDER) != 0u {
        place = offsets[job.right_base + index];
    }
    // Elements have their numbers in the segment as positions.
    var element = job;
    element.begin = 0u;
    element.end = own.count;
    element.base = job.base + INDEX_STEP * (place - at);
    return item_there(element, at);
}

fn range_include_acc4(range: Range, items: Acc4) -> Range {
    let even = range_include_acc(range_include_acc(range, items.x), items.z);
    return range_include_acc(range_include_acc(even, items.y), items.w);
}

// Whether the device makes the right total of items in a range.
fn is_right(range: Range, total: Acc) -> bool {
    return (!CHECKS_RANGE || range_is_safe_in_tile(range)) && (!CHECKS_TOTALS || total_is_right(total));
}
