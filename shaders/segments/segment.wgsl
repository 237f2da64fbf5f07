// Segments of a sequence, each reduced as if it were alone.
//
// Sixteen neighbours of a segment, counted from its first element, are a chunk: a run of the pairwise order. The totals of chunks are the
// items of the next level, of which sixteen are a chunk again. So each level has as many items of a segment that are in no chunk as one
// hexadecimal digit of its length says. However long segments are, a lane has a chunk, or a segment's digits.
//
// An order says which element of the input is which of the sequence. Elements along axes that are apart have a table of these axes: see `places`.
//
// Between offsets elements may take several bindings: windows of the sequence, each with a dispatch of its own. A pass over elements begins with chunk
// `begin`. A chunk's place says which 31 elements it lies within, so a window has its chunks whole. Results come from the window that has the elements
// in no chunk: see `begins_in_window`.

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
    return (job.offsets_head_bytes + index * job.offsets_stride_bytes) >> 2u;
}

// An offset as it is in memory, or its lower half. Where there are only beginnings, the last one stands in for the end.
fn offset_word(job: Params, index: u32) -> u32 {
    let last = select(job.segments, max(job.segments, 1u) - 1u, (job.flags & FLAG_HAS_BEGINS) != 0u);
    return offsets[offset_place(job, min(index, last))];
}

// The offset that has this word: never behind the elements, whatever it is.
fn offset_of_word(job: Params, index: u32, word: u32) -> u32 {
    if ((job.flags & FLAG_HAS_BEGINS) != 0u) & (index >= job.segments) {
        return job.elements;
    }
    // Lazy: a high word is loaded.
    if (job.flags & FLAG_HAS_WIDE_OFFSETS) != 0u && offsets[offset_place(job, index) + 1u] != 0u {
        return job.elements;
    }
    return min(word, job.elements);
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

fn step_of(job: Params) -> u32 {
    return select(1u, job.segment_step, APART);
}

fn segment_at(job: Params, segment: u32, level: u32) -> Segment {
    if (job.flags & FLAG_HAS_OFFSETS) != 0u {
        let begin = offset_load(job, segment);
        let end = max(begin, offset_load(job, segment + 1u));
        return Segment(begin >> level, (end - begin) >> level, 1u);
    }
    let step = step_of(job);
    // A division takes as long as a whole short segment.
    if step == 1u {
        return segment_in(job, segment, 0u, level);
    }
    let outer = segment / step;
    return segment_in(job, outer, segment - outer * step, level);
}

// Where there are no offsets: one of those that lie within each other.
fn segment_in(job: Params, outer: u32, inner: u32, level: u32) -> Segment {
    let step = step_of(job);
    if has_axes(job, level) {
        return axes_segment(job, outer * step + inner);
    }
    let count = job.segment_items >> level;
    return Segment(outer * count * step + inner, count, step);
}

// The items of a level, of all segments.
fn level_items(job: Params, level: u32) -> u32 {
    if (job.flags & FLAG_HAS_OFFSETS) != 0u {
        return job.elements >> level;
    }
    return job.segments * (job.segment_items >> level);
}

// The segment as a launch of its own, in which positions are those in the segment: from one that is at this place on, elements that follow one
// another.
fn elements_of(job: Params, own: Segment, place: u32, at: u32) -> Params {
    var elements = job;
    elements.begin = 0u;
    elements.end = own.count;
    elements.base = job.base + INDEX_STEP * (place - at);
    return elements;
}
