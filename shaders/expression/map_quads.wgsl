// What an expression makes of four elements.

// The place of a position in the whole sequence, modulo 2^32.
@if(two) fn index_of(job: Params, at: u32) -> u32 {
    return (origin_block_of(job) << job.log2_block_items) + at;
}

// What the device makes of four elements, and whether it is right.
@if(two) struct Mapped4 {
    elems: Quad,
    are_right: vec4<bool>,
    are_kept: vec4<bool>,
}

@if(two) fn quads_map_quick(x: Quad, y: Quad, index: u32) -> Mapped4 {
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
@if(two) fn quads_are_right(x: Quad, y: Quad, index: u32) -> bool {
    let a = map_checked(elem_to_bits(x.x), elem_to_bits(y.x), index);
    let b = map_checked(elem_to_bits(x.y), elem_to_bits(y.y), index + 1u);
    let c = map_checked(elem_to_bits(x.z), elem_to_bits(y.z), index + 2u);
    let d = map_checked(elem_to_bits(x.w), elem_to_bits(y.w), index + 3u);
    return a.is_right & b.is_right & c.is_right & d.is_right;
}

// What is right in any case is long. So there is one of it, in a loop with a bound that compilers do not know, as they do not know that
// `nothing` is 0.
@if(two) fn quads_map(x: Quad, y: Quad, index: u32, nothing: u32) -> Mapped4 {
    let quick = quads_map_quick(x, y, index);
    var a = quick.elems.x;
    var b = quick.elems.y;
    var c = quick.elems.z;
    var d = quick.elems.w;
    var are_kept = quick.are_kept;
    // Lazy: this takes the operands once more.
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

@if(two) fn quad_at(quad: Quad, i: u32) -> Elem {
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

// An expression of three inputs makes this of four elements of each, as section two has it of one input or two.

// The place of a position in the whole sequence, modulo 2^32.
@if(three) fn index_of(job: Params, at: u32) -> u32 {
    return (origin_block_of(job) << job.log2_block_items) + at;
}

// What the device makes of four elements, and whether it is right.
@if(three) struct Mapped4 {
    elems: Quad,
    are_right: vec4<bool>,
    are_kept: vec4<bool>,
}

@if(three) fn quads_map_quick(x: Quad, others: Others, index: u32) -> Mapped4 {
    let a = map_quick(elem_to_bits(x.x), elem_to_bits(others.y.x), elem_to_bits(others.z.x), index);
    let b = map_quick(elem_to_bits(x.y), elem_to_bits(others.y.y), elem_to_bits(others.z.y), index + 1u);
    let c = map_quick(elem_to_bits(x.z), elem_to_bits(others.y.z), elem_to_bits(others.z.z), index + 2u);
    let d = map_quick(elem_to_bits(x.w), elem_to_bits(others.y.w), elem_to_bits(others.z.w), index + 3u);
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
@if(three) fn quads_are_right(x: Quad, others: Others, index: u32) -> bool {
    let a = map_checked(elem_to_bits(x.x), elem_to_bits(others.y.x), elem_to_bits(others.z.x), index);
    let b = map_checked(elem_to_bits(x.y), elem_to_bits(others.y.y), elem_to_bits(others.z.y), index + 1u);
    let c = map_checked(elem_to_bits(x.z), elem_to_bits(others.y.z), elem_to_bits(others.z.z), index + 2u);
    let d = map_checked(elem_to_bits(x.w), elem_to_bits(others.y.w), elem_to_bits(others.z.w), index + 3u);
    return a.is_right & b.is_right & c.is_right & d.is_right;
}

// What is right in any case is long. So there is one of it, in a loop with a bound that compilers do not know, as they do not know that
// `nothing` is 0.
@if(three) fn quads_map(x: Quad, others: Others, index: u32, nothing: u32) -> Mapped4 {
    let quick = quads_map_quick(x, others, index);
    var a = quick.elems.x;
    var b = quick.elems.y;
    var c = quick.elems.z;
    var d = quick.elems.w;
    var are_kept = quick.are_kept;
    // Lazy: this takes the operands once more.
    if !all(quick.are_right) && !quads_are_right(x, others, index) {
        for (var i = 0u; i < 4u + nothing; i++) {
            let one = map_any(
                elem_to_bits(quad_at(x, i)),
                elem_to_bits(quad_at(others.y, i)),
                elem_to_bits(quad_at(others.z, i)),
                index + i,
            );
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

@if(three) fn quad_at(quad: Quad, i: u32) -> Elem {
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
