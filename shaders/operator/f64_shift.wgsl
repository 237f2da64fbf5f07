// Shifts of 64 bits, as two words, without a branch.

fn shifted_left(value: vec2<u32>, distance: u32) -> vec2<u32> {
    let is_far = distance >= 32u;
    let low = select(value.x, 0u, is_far);
    let high = select(value.y, value.x, is_far);
    let near = distance & 31u;
    // Not by 32 where nothing is shifted.
    return vec2<u32>(low << near, (high << near) | ((low >> 1u) >> (near ^ 31u)));
}

struct ShiftedRight {
    value: vec2<u32>,
    // Not 0 if a bit is lost.
    lost: u32,
}

fn shifted_right(value: vec2<u32>, distance: u32) -> ShiftedRight {
    let is_far = distance >= 32u;
    let low = select(value.x, value.y, is_far);
    let high = select(value.y, 0u, is_far);
    let near = distance & 31u;
    let shifted = vec2<u32>((low >> near) | ((high << 1u) << (near ^ 31u)), high >> near);
    return ShiftedRight(shifted, select(0u, value.x, is_far) | ((low << 1u) << (near ^ 31u)));
}
