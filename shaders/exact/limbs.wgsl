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
