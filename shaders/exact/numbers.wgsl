// How many elements are numbers; and their sums, where others have them.

var<private> numbers: vec2<u32>;

// Takes the number of NaNs out of the limbs: the sum of squares comes first, and right behind it the sum of elements.
fn numbers_take() {
    let len = vec2<u32>(params.len_low, params.len_high);
    let nans = vec2<u32>(limbs[NANS_LIMB], limbs[NANS_LIMB + 1u]);
    numbers = vec2<u32>(len.x - nans.x, len.y - nans.y - select(0u, 1u, len.x < nans.x));
    // Above the sum of elements is its sign.
    let sign = select(0u, 0xffffffffu, is_negative(limbs[LIMBS - 1u]));
    for (var i = NANS_LIMB; i < LIMBS; i++) {
        limbs[i] = select(sign, limbs[min(i + 2u, LIMBS - 1u)], i + 2u < LIMBS);
    }
}
