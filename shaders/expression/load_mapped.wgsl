// How an operator finds what it lifts: what an expression makes of elements of one word.
//
// The expression's parameters are `first_bits`, `last_bits`, `initial_low` and `initial_high` of `params`, in this order.

// The place of a position in the whole sequence, modulo 2^32.
fn index_of(job: Params, at: u32) -> u32 {
    return (((job.span << job.log2_span) + job.first_node) << job.log2_block_items) + at;
}

struct Mapped4 {
    words: vec4<u32>,
    are_right: vec4<bool>,
}

fn items_map_quick(items: Items) -> Mapped4 {
    let x = items_x(items);
    let y = items_y(items);
    let a = map_quick(elem_to_word(x.x), elem_to_word(y.x), items.index);
    let b = map_quick(elem_to_word(x.y), elem_to_word(y.y), items.index + 1u);
    let c = map_quick(elem_to_word(x.z), elem_to_word(y.z), items.index + 2u);
    let d = map_quick(elem_to_word(x.w), elem_to_word(y.w), items.index + 3u);
    return Mapped4(
        vec4<u32>(a.word, b.word, c.word, d.word),
        vec4<bool>(a.is_right, b.is_right, c.is_right, d.is_right),
    );
}

// What is right in any case is long. So there is one of it, in a loop with a bound that compilers do not know, as they do not know that
// `nothing` is 0.
fn items_map(items: Items, nothing: u32) -> vec4<u32> {
    let quick = items_map_quick(items);
    var words = quick.words;
    if !all(quick.are_right) {
        let x = items_x(items);
        let y = items_y(items);
        for (var i = 0u; i < 4u + nothing; i++) {
            let word = map_any(
                elem_to_word(quad_at(x, i)),
                elem_to_word(quad_at(y, i)),
                items.index + i,
            );
            words = select(words, vec4<u32>(word), vec4<u32>(i) == vec4<u32>(0u, 1u, 2u, 3u));
        }
    }
    return words;
}

fn quad_at(quad: Quad, i: u32) -> Elem {
    if i == 0u {
        return quad.x;
    }
    if i == 1u {
        return quad.y;
    }
    if i == 2u {
        return quad.z;
    }
    return quad.w;
}

fn words_lift(words: vec4<u32>) -> Acc4 {
    return Acc4(
        op_lift(elem_from_word(words.x)),
        op_lift(elem_from_word(words.y)),
        op_lift(elem_from_word(words.z)),
        op_lift(elem_from_word(words.w)),
    );
}

// Where tiles are made again whose range is not safe, what the device makes will do: `range_include_items` notes what it may get wrong.
fn items_lift(items: Items) -> Acc4 {
    if CHECKS_RANGE {
        let quick = items_map_quick(items);
        return words_lift(quick.words);
    }
    return words_lift(items_map(items, params.zero));
}

// The same of any elements.
fn items_lift_any(items: Items, nothing: u32) -> Acc4 {
    return words_lift(items_map(items, nothing));
}

// What may be wrong counts as what no range is safe with: the smallest subnormal.
fn range_include_items(range: Range, items: Items) -> Range {
    if !CHECKS_RANGE {
        return range;
    }
    let quick = items_map_quick(items);
    let words = select(vec4<u32>(1u), quick.words, quick.are_right);
    return range_include_elems(
        range,
        Quad(
            elem_from_word(words.x),
            elem_from_word(words.y),
            elem_from_word(words.z),
            elem_from_word(words.w),
        ),
    );
}

// Four elements in a row, of which the launch may have some. One that is missing is the identity.
fn items_load4(job: Params, at: u32) -> Acc4 {
    if job.begin <= at && at + 4u <= min(job.end, job.vec_end) {
        return items_lift_any(items_at(job, at), params.zero);
    }
    let accs = items_lift_any(items_within(job, at), params.zero);
    return Acc4(
        acc_within(job, at, accs.x),
        acc_within(job, at + 1u, accs.y),
        acc_within(job, at + 2u, accs.z),
        acc_within(job, at + 3u, accs.w),
    );
}

fn acc_within(job: Params, at: u32, acc: Acc) -> Acc {
    return acc_select(op_identity(), acc, job.begin <= at && at < job.end);
}
