// Products where the launch has some of them, or where the device may not be right for them.
//
// (No arrays: of arrays of elements and of accumulators, if these are of one type, naga 30 writes HLSL that DXC refuses.)

struct Factors {
    left: Quad,
    right: Quad,
}

struct Factor {
    left: Elem,
    right: Elem,
}

// Four products in a row, of which the launch may have some. One that is missing is 0.
fn items_load4(job: Params, at: u32) -> Acc4 {
    let nothing = nothing_of(job) & job.block;
    if (job.begin <= at) & (at + 4u <= min(job.end, job.vec_end)) {
        let factors = factors_at(job, at);
        return products_of_any(factors.left, factors.right, nothing);
    }
    var products = Acc4(op_identity(), op_identity(), op_identity(), op_identity());
    for (var i = 0u; i < 4u + nothing; i++) {
        if (job.begin <= at + i) & (at + i < job.end) {
            let factor = factor_load(job, at + i);
            products = acc4_with(products, i, product_any(factor.left, factor.right));
        }
    }
    return products;
}

// The product at a position, which is there.
fn item_there(job: Params, at: u32) -> Acc {
    let factor = factor_load(job, at);
    return product_any(factor.left, factor.right);
}

// A product of any factors is long. So there is one, in a loop with a bound that compilers do not know, as they do not know that
// `nothing` is 0.
fn products_of_any(left: Quad, right: Quad, nothing: u32) -> Acc4 {
    var products = Acc4(op_identity(), op_identity(), op_identity(), op_identity());
    for (var i = 0u; i < 4u + nothing; i++) {
        products = acc4_with(products, i, product_any(quad_at(left, i), quad_at(right, i)));
    }
    return products;
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

fn acc4_with(accs: Acc4, i: u32, acc: Acc) -> Acc4 {
    return Acc4(
        acc_select(accs.x, acc, i == 0u),
        acc_select(accs.y, acc, i == 1u),
        acc_select(accs.z, acc, i == 2u),
        acc_select(accs.w, acc, i == 3u),
    );
}
