// How an operator finds what it lifts: what an expression makes of elements.
//
// The expression's parameters are `first_bits`, `last_bits`, `initial_low` and `initial_high` of `params`, in this order.

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
    // Lazy: this takes the operands once more.
    if !all(quick.are_right) && !quads_are_right(items_x(items), items_y(items), number_index(items.number)) {
        let unsafe_elem = elem_from_bits(BITS_OF_NO_RANGE);
        return range_include_elems(range, Quad(unsafe_elem, unsafe_elem, unsafe_elem, unsafe_elem));
    }
    return range_include_elems(range, quick.elems);
}

// Four elements in a row, of which the launch may have some. One that is missing is the identity.
fn items_load4(job: Params, at: u32) -> Acc4 {
    if (job.begin <= at) & (at + 4u <= min(job.end, job.vec_end)) {
        return items_lift_any(items_at(job, at), nothing_of(params));
    }
    let x = Quad(
        x_within(job, at),
        x_within(job, at + 1u),
        x_within(job, at + 2u),
        x_within(job, at + 3u),
    );
    let y = y_quad_within(job, at);
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
    return acc_select(op_identity(), acc, (job.begin <= at) & (at < job.end));
}
