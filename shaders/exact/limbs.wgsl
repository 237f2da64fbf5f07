// Integers of many limbs.

// Replaces the number in the limbs from `first` on by its magnitude. Returns whether it was negative.
fn take_sign(first: u32) -> bool {
    let negative = is_negative(limbs[LIMBS - 1u]);
    let flip = select(0u, 0xffffffffu, negative);
    var carry = flip & 1u;
    for (var i = first; i < LIMBS; i++) {
        let limb = (limbs[i] ^ flip) + carry;
        carry = select(0u, carry, limb == 0u);
        limbs[i] = limb;
    }
    return negative;
}

fn leading_bits() -> Leading {
    var index = 0u;
    for (var i = 0u; i < LIMBS; i++) {
        if limbs[i] != 0u {
            index = i;
        }
    }
    var rest = 0u;
    for (var i = 0u; i < LIMBS; i++) {
        if i + 2u < index {
            rest |= limbs[i];
        }
    }
    return leading_from(index, rest);
}

// Numbers in two's complement.

@if(two_complement) fn is_negative(value: u32) -> bool {
    return value >= 0x80000000u;
}

// Whether the sum of two numbers is not their sum in two's complement.
@if(two_complement) fn overflows(a: u32, b: u32) -> bool {
    let sum = a + b;
    return is_negative((a ^ sum) & (b ^ sum));
}

// The leading bits of integers of many limbs.

// The first 64 bits of the limbs, from the highest on.
@if(leading) struct Leading {
    high: u32,
    low: u32,
    // The highest bit's number; there is none if high is 0.
    place: u32,
    // Whether there is anything below the 64 bits.
    has_rest: bool,
}

// From this limb on, which is the highest one that is not 0. Of those more than two below it `rest` has all bits.
@if(leading) fn leading_from(index: u32, rest: u32) -> Leading {
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
@if(leading) fn upper_of_shifted(high: u32, low: u32, shift: u32) -> u32 {
    return (high << shift) | ((low >> 1u) >> (31u - shift));
}

// How many elements are numbers; and their sums, where others have them.

@if(numbers) var<private> numbers: vec2<u32>;

// Takes the number of NaNs out of the limbs: the sum of squares comes first, and right behind it the sum of elements.
@if(numbers) fn numbers_take() {
    let len = vec2<u32>(params.len_low, params.len_high);
    let nans = vec2<u32>(limbs[NANS_LIMB], limbs[NANS_LIMB + 1u]);
    numbers = vec2<u32>(len.x - nans.x, len.y - nans.y - select(0u, 1u, len.x < nans.x));
    // Above the sum of elements is its sign.
    let sign = select(0u, 0xffffffffu, is_negative(limbs[LIMBS - 1u]));
    for (var i = NANS_LIMB; i < LIMBS; i++) {
        limbs[i] = select(sign, limbs[min(i + 2u, LIMBS - 1u)], i + 2u < LIMBS);
    }
}
