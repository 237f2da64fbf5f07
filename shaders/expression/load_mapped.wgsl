// How an operator finds what it lifts: what an expression makes of elements.
//
// The expression's parameters are `first_bits`, `last_bits`, `initial_low` and `initial_high` of `params`, in this order.

// The place of a position in the whole sequence, modulo 2^32.
fn index_of(job: Params, at: u32) -> u32 {
    return (((job.span << job.log2_span) + job.first_node) << job.log2_block_items) + at;
}

// What the device makes of four elements, and whether it is right.
struct Mapped4 {
    elems: Quad,
    are_right: vec4<bool>,
    are_kept: vec4<bool>,
}

fn quads_map_quick(x: Quad, y: Quad, index: u32) -> Mapped4 {
    let a = map_quick(elem_to_bits(x.x), elem_to_bits(y.x), index);
    let b = map_quick(elem_to_bits(x.y), elem_to_bits(y.y), index + 1u);
    let c = map_quick(elem_to_bits(x.z), elem_to_bits(y.z), index + 2u);
    let d = map_quick(elem_to_bits(x.w), elem_to_bits(y.w), index + 3u);
    return Mapped4(
        Quad(
            elem_from_bits(a.bits),
            elem_from_bits(b.bits),
            elem_from_bits(c.bits),
            elem_from_bits(d.bits),
        ),
        vec4<bool>(a.is_right, b.is_right, c.is_right, d.is_right),
        vec4<bool>(a.is_kept, b.is_kept, c.is_kept, d.is_kept),
    );
}

// The same, by a test of operands, too: whether all four are right. Zeros are, which show nothing by themselves.
fn quads_are_right(x: Quad, y: Quad, index: u32) -> bool {
    let a = map_checked(elem_to_bits(x.x), elem_to_bits(y.x), index);
    let b = map_checked(elem_to_bits(x.y), elem_to_bits(y.y), index + 1u);
    let c = map_checked(elem_to_bits(x.z), elem_to_bits(y.z), index + 2u);
    let d = map_checked(elem_to_bits(x.w), elem_to_bits(y.w), index + 3u);
    return a.is_right && b.is_right && c.is_right && d.is_right;
}

// What is right in any case is long. So there is one of it, in a loop with a bound that compilers do not know, as they do not know that
// `nothing` is 0.
fn quads_map(x: Quad, y: Quad, index: u32, nothing: u32) -> Mapped4 {
    let quick = quads_map_quick(x, y, index);
    var a = quick.elems.x;
    var b = quick.elems.y;
    var c = quick.elems.z;
    var d = quick.elems.w;
    var are_kept = quick.are_kept;
    if !all(quick.are_right) && !quads_are_right(x, y, index) {
        for (var i = 0u; i < 4u + nothing; i++) {
            let one = map_any(elem_to_bits(quad_at(x, i)), elem_to_bits(quad_at(y, i)), index + i);
            let elem = elem_from_bits(one.bits);
            a = select(a, elem, i == 0u);
            b = select(b, elem, i == 1u);
            c = select(c, elem, i == 2u);
            d = select(d, elem, i == 3u);
            are_kept = select(are_kept, vec4<bool>(one.is_kept), vec4<u32>(i) == vec4<u32>(0u, 1u, 2u, 3u));
        }
    }
    return Mapped4(Quad(a, b, c, d), vec4<bool>(true), are_kept);
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

fn quad_lift(mapped: Mapped4, number: Number) -> Acc4 {
    return Acc4(
        mapped_lift(mapped.elems.x, number, 0u, mapped.are_kept.x),
        mapped_lift(mapped.elems.y, number, 1u, mapped.are_kept.y),
        mapped_lift(mapped.elems.z, number, 2u, mapped.are_kept.z),
        mapped_lift(mapped.elems.w, number, 3u, mapped.are_kept.w),
    );
}

// Where tiles are made again whose range is not safe, what the device makes will do: `range_include_items` notes what it may get wrong.
fn items_lift(items: Items) -> Acc4 {
    if CHECKS_RANGE {
        return quad_lift(items_map_quick(items), items.number);
    }
    return items_lift_any(items, nothing_of(params));
}

// The same of any elements.
fn items_lift_any(items: Items, nothing: u32) -> Acc4 {
    let index = number_index(items.number);
    return quad_lift(quads_map(items_x(items), items_y(items), index, nothing), items.number);
}

fn items_map_quick(items: Items) -> Mapped4 {
    return quads_map_quick(items_x(items), items_y(items), number_index(items.number));
}

// What may be wrong counts as what no range is safe with. So do the elements beside it: a NaN among them could be wrong, and hide it.
fn range_include_items(range: Range, items: Items) -> Range {
    if !CHECKS_RANGE {
        return range;
    }
    let quick = items_map_quick(items);
    if !all(quick.are_right) && !quads_are_right(items_x(items), items_y(items), number_index(items.number)) {
        let unsafe_elem = elem_from_bits(BITS_OF_NO_RANGE);
        return range_include_elems(range, Quad(unsafe_elem, unsafe_elem, unsafe_elem, unsafe_elem));
    }
    return range_include_elems(range, quick.elems);
}

// Four elements in a row, of which the launch may have some. One that is missing is the identity.
fn items_load4(job: Params, at: u32) -> Acc4 {
    if job.begin <= at && at + 4u <= min(job.end, job.vec_end) {
        return items_lift_any(items_at(job, at), nothing_of(params));
    }
    let x = Quad(
        x_within(job, at),
        x_within(job, at + 1u),
        x_within(job, at + 2u),
        x_within(job, at + 3u),
    );
    let y = Quad(
        y_within(job, at),
        y_within(job, at + 1u),
        y_within(job, at + 2u),
        y_within(job, at + 3u),
    );
    let number = number_at(job, at);
    let accs = quad_lift(quads_map(x, y, number_index(number), nothing_of(params)), number);
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
