// The longest run of zeros.

struct Runs {
    len: u32,
    // Zeros at the beginning, and at the end.
    first: u32,
    last: u32,
    longest: u32,
}

fn identity() -> Runs {
    return Runs(0u, 0u, 0u, 0u);
}

fn lift(x: u32) -> Runs {
    let zeros = select(0u, 1u, x == 0u);
    return Runs(1u, zeros, zeros, zeros);
}

fn combine(a: Runs, b: Runs) -> Runs {
    return Runs(
        a.len + b.len,
        select(a.first, a.len + b.first, a.first == a.len),
        select(b.last, a.last + b.len, b.last == b.len),
        max(max(a.longest, b.longest), a.last + b.first),
    );
}

fn finish(runs: Runs) -> u32 {
    return runs.longest;
}
