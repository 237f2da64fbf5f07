// Positions, and numbers of items: 64 bits each, the lower half first.

// What is written may have the lower half alone.
const FLAG_HAS_SHORT_NUMBERS = 131072u;

// Words of a position or a length that is written.
fn number_words(job: Params) -> u32 {
    return select(2u, 1u, (job.flags & FLAG_HAS_SHORT_NUMBERS) != 0u);
}

fn position_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn position_subtract(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// A position of the launch as one of the whole sequence.
fn position_of(job: Params, at: u32) -> vec2<u32> {
    return position_add(vec2<u32>(job.initial_low, job.initial_high), vec2<u32>(at, 0u));
}
