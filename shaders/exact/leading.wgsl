// The leading bits of integers of many limbs.

// The first 64 bits of the limbs, from the highest on.
struct Leading {
    high: u32,
    low: u32,
    // The highest bit's number; there is none if high is 0.
    place: u32,
    // Whether there is anything below the 64 bits.
    has_rest: bool,
}

// From this limb on, which is the highest one that is not 0. Of those more than two below it `rest` has all bits.
fn leading_from(index: u32, rest: u32) -> Leading {
    let top = limbs[index];
    let middle = select(0u, limbs[max(index, 1u) - 1u], index >= 1u);
    let bottom = select(0u, limbs[max(index, 2u) - 2u], index >= 2u);
    let shift = countLeadingZeros(top) & 31u;
    return Leading(
        upper_of_shifted(top, middle, shift),
        upper_of_shifted(middle, bottom, shift),
        32u * index + 31u - shift,
        (rest | (bottom << shift)) != 0u,
    );
}

// The upper half of (high, low) << shift, where shift is less than 32.
fn upper_of_shifted(high: u32, low: u32, shift: u32) -> u32 {
    return (high << shift) | ((low >> 1u) >> (31u - shift));
}
