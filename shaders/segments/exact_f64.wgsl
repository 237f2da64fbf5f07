// The exact sums of chunks of f64s, or of sums of them.

@if(chunks) fn chunk_total(job: Params, own: Segment, at: u32) -> Acc {
    let walk = walk_at(job, own, job.level, at);
    if is_loaded_at_once(job, own, walk) {
        let rows = sixteen_at(job, own, walk, at);
        let sum0 = sum_add4(op_identity(), quad_unpack(rows.row0));
        let sum1 = sum_add4(sum0, quad_unpack(rows.row1));
        let sum2 = sum_add4(sum1, quad_unpack(rows.row2));
        return sum_add4(sum2, quad_unpack(rows.row3));
    }
    return run_add(job, own, job.level, job.totals, at, CHUNK_ITEMS, op_identity());
}

// No workgroup has memory for the sums of its chunks, so no plan has them joined.
@if(chunks) fn chunks_join(job: Params, turn: Turn, own: Acc4, slot: u32, lane_index: u32) {}

// The items of segments that exact sums of f64s are made of: elements, and sums in scratch memory.

@if(items) alias Items = Pack;

@if(items) fn item_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.base;
}

// The four from a position on, where they can be loaded at a time.
@if(items) fn items_at(job: Params, at: u32) -> Items {
    return pack_load(item_index(job, at));
}

@if(items) fn sum_add4(sum: Acc, elements: Quad) -> Acc {
    let with_x = sum_add(sum, elements.x);
    let with_y = sum_add(with_x, elements.y);
    let with_z = sum_add(with_y, elements.z);
    return sum_add(with_z, elements.w);
}

// Up to four elements from one on. Zeros stand in for those behind the last one, so all loads are on their way at once.
@if(items) fn elements4(job: Params, own: Segment, walk: Walk, at: u32, last: u32) -> Quad {
    let places = places4(job, own, 0u, walk, at, last);
    let x = elem_load(item_index(job, places.x));
    let y = elem_load(item_index(job, places.y));
    let z = elem_load(item_index(job, places.z));
    let w = elem_load(item_index(job, places.w));
    let none = Elem(0u, 0u);
    return Quad(
        x,
        select(none, y, at + 1u <= last),
        select(none, z, at + 2u <= last),
        select(none, w, at + 3u <= last),
    );
}

// The lane's sum with so many items of a level, up to sixteen, from one on. Totals of the level begin at `totals`.
@if(items) fn run_add(job: Params, own: Segment, level: u32, totals: u32, first: u32, count: u32, before: Acc) -> Acc {
    let nothing = nothing_of(job) & job.block;
    var sum = Acc(before.first, before.end, before.specials);
    var next = walk_at(job, own, level, first);
    if level == 0u {
        for (var i = 0u; i < 4u + nothing; i++) {
            if 4u * i >= count {
                break;
            }
            let at = first + 4u * i;
            let elements = elements4(job, own, next, at, first + count - 1u);
            next = walk_on(job, own, next, at, 4u);
            sum = sum_add4(Acc(sum.first, sum.end, sum.specials), elements);
        }
        return sum;
    }
    for (var i = 0u; i < CHUNK_ITEMS + nothing; i++) {
        if i >= count {
            break;
        }
        sum = scratch_add(Acc(sum.first, sum.end, sum.specials), totals + next.x + i * own.step);
    }
    return sum;
}

// What segments of f64s have in no chunk, for exact sums.

// The lane's sum with what a level has in no chunk.
@if(runs) fn digit_join(job: Params, own: Segment, level: u32, totals: u32, before: Total, begins: bool) -> Total {
    let digit = own.count % CHUNK_ITEMS;
    return run_add(job, own, level, totals, own.count - digit, digit, before);
}

// Nothing is quicker for a few elements, but of no elements nothing is left to do.
@if(runs) struct Few {
    total: Total,
    is_right: bool,
}

@if(runs) const FEW = 0u;

@if(runs) fn few_total(job: Params, own: Segment) -> Few {
    return Few(total_of(op_identity()), true);
}

// Exact sums of f64s in scratch memory: which limbs a sum has, its sign, and flags, in one word, and behind it those limbs alone. Most sums have few, so
// little of the memory is ever read or written.

@if(scratch) struct Scratch {
    // Nothing counts in it.
    delivered: atomic<u32>,
    words: array<u32>,
}

// Stores the lane's sum, which is empty then.
@if(scratch) fn scratch_store(index: u32, sum: Acc) {
    let settled = sum_settle(sum);
    let begin = index * ACC_WORDS;
    let count = settled.end - min(settled.first, settled.end);
    scratch.words[begin] = settled.first | (count << 8u) | ((settled.sign & 1u) << 16u) | (sum.specials << 24u);
    for (var i = 0u; i < LIMBS; i++) {
        if i >= count {
            break;
        }
        scratch.words[begin + 1u + i] = limbs[settled.first + i];
        limbs[settled.first + i] = 0u;
    }
}

// The lane's sum with one that was stored.
@if(scratch) fn scratch_add(sum: Acc, index: u32) -> Acc {
    let begin = index * ACC_WORDS;
    let told = scratch.words[begin];
    // Where offsets fall the word is not a sum's, and may say anything.
    let first = min(told & 0xffu, LIMBS);
    let count = min(extractBits(told, 8u, 8u), LIMBS - first);
    let specials = sum.specials | (told >> 24u);
    if count == 0u {
        return Acc(sum.first, sum.end, specials);
    }
    var carry = 0u;
    for (var i = 0u; i < LIMBS; i++) {
        if i >= count {
            break;
        }
        let limb = limb_add(limbs[first + i], scratch.words[begin + 1u + i], carry);
        limbs[first + i] = limb.x;
        carry = limb.y;
    }
    carry_add(first + count, carry - extractBits(told, 16u, 1u));
    return Acc(min(sum.first, first), max(sum.end, first + count), specials);
}

// The end of an exact sum of a segment's f64s. What is rounded is made of the lane's limbs: of those that the sum has, because most sums have few.

// The output.
@if(finish) @group(0) @binding(4) var<storage, read_write> result: array<u32>;

@if(finish) var<private> settled: Settled;

// The result of `len` elements, of which the first word is the lower half. The lane's sum is empty then.
@if(finish) fn result_store(index: u32, total: Total, len: vec2<u32>, flags: u32) {
    settled = sum_settle(total);
    let value = exact_value(total.specials, len);
    result[index] = value.x;
    result[index + 1u] = value.y;
    for (var at = settled.first; at < LIMBS; at++) {
        if at >= settled.end {
            break;
        }
        limbs[at] = 0u;
    }
}

// Replaces the number by its magnitude. Returns whether it was negative. It is all of the limbs: none are asked for from another one on.
@if(finish) fn take_sign(first: u32) -> bool {
    let flip = settled.sign;
    var carry = flip & 1u;
    for (var at = settled.first; at < LIMBS; at++) {
        if at >= settled.end {
            break;
        }
        let limb = (limbs[at] ^ flip) + carry;
        carry = select(0u, carry, limb == 0u);
        limbs[at] = limb;
    }
    // A negative power of two with nothing but 0 in its limbs. No sum has it in the highest one.
    if (carry != 0u) & (settled.end < LIMBS) {
        limbs[settled.end] = carry;
        settled.end += 1u;
    }
    return flip != 0u;
}

@if(finish) fn leading_bits() -> Leading {
    var index = 0u;
    for (var at = settled.first; at < LIMBS; at++) {
        if at >= settled.end {
            break;
        }
        if limbs[at] != 0u {
            index = at;
        }
    }
    var rest = 0u;
    for (var at = settled.first; at < LIMBS; at++) {
        if at + 2u >= index {
            break;
        }
        rest |= limbs[at];
    }
    return leading_from(index, rest);
}
