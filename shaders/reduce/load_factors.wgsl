// Products where the launch has some of them, or where the device may not be right for them.

struct Factors {
    left: Quad,
    right: Quad,
}

// Four products in a row, of which the launch may have some. One that is missing is 0.
fn items_load4(job: Params, at: u32) -> Acc4 {
    var left = Quad();
    var right = Quad();
    if job.begin <= at && at + 4u <= min(job.end, job.vec_end) {
        let factors = factors_at(job, at);
        left = factors.left;
        right = factors.right;
    } else {
        for (var i = 0u; i < 4u; i++) {
            if job.begin <= at + i && at + i < job.end {
                let factors = factors_load(job, at + i);
                left[i] = factors.x;
                right[i] = factors.y;
            }
        }
    }
    return products_of_any(left, right, job.zero & job.block);
}

// A product of any factors is long. So there is one, in a loop with a bound that compilers do not know, as they do not know that
// `nothing` is 0.
fn products_of_any(left: Quad, right: Quad, nothing: u32) -> Acc4 {
    var products = Quad();
    for (var i = 0u; i < 4u + nothing; i++) {
        products[i & 3u] = product_any(left[i & 3u], right[i & 3u]);
    }
    return Acc4(products.x, products.y, products.z, products.w);
}
