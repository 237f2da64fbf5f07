// Exact sums of f64s in scratch memory: which limbs a sum has, its sign, and flags, in one word, and behind it those limbs alone. Most sums have few, so
// little of the memory is ever read or written.

struct Scratch {
    // Nothing counts in it.
    delivered: atomic<u32>,
    words: array<u32>,
}

// Stores the lane's sum, which is empty then.
fn scratch_store(index: u32, sum: Acc) {
    let settled = sum_settle(sum);
    let begin = index * ACC_WORDS;
    let count = settled.end - min(settled.first, settled.end);
    scratch.words[begin] = settled.first | (count << 8u) | ((settled.sign & 1u) << 16u) | (sum.specials << 24u);
    for (var i = 0u; i < LIMBS; i++) {
        if i >= count {
            break;
        }
        scratch.words[begin + 1u + i] = limbs[settled.first + i];
        limbs[settled.first + i] = 0u;
    }
}

// The lane's sum with one that was stored.
fn scratch_add(sum: Acc, index: u32) -> Acc {
    let begin = index * ACC_WORDS;
    let told = scratch.words[begin];
    // Where offsets fall the word is not a sum's, and may say anything.
    let first = min(told & 0xffu, LIMBS);
    let count = min(extractBits(told, 8u, 8u), LIMBS - first);
    let specials = sum.specials | (told >> 24u);
    if count == 0u {
        return Acc(sum.first, sum.end, specials);
    }
    var carry = 0u;
    for (var i = 0u; i < LIMBS; i++) {
        if i >= count {
            break;
        }
        let limb = limb_add(limbs[first + i], scratch.words[begin + 1u + i], carry);
        limbs[first + i] = limb.x;
        carry = limb.y;
    }
    carry_add(first + count, carry - extractBits(told, 16u, 1u));
    return Acc(min(sum.first, first), max(sum.end, first + count), specials);
}
