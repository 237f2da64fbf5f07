// Folds of integers of one word, or of several components, each a word.

fn op_identity() -> Acc {
    if FOLD == FOLD_PRODUCT {
        return Acc(1u);
    }
    if FOLD == FOLD_AND {
        return ~Acc(0u);
    }
    return Acc(0u);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    if FOLD == FOLD_SUM {
        return a + b;
    }
    if FOLD == FOLD_PRODUCT {
        return a * b;
    }
    if FOLD == FOLD_AND {
        return a & b;
    }
    if FOLD == FOLD_OR {
        return a | b;
    }
    return a ^ b;
}

// Folds of integers of 64 bits, as two words, the low one first.

@if(two_words) fn op_identity() -> Acc {
    if FOLD == FOLD_PRODUCT {
        return Acc(1u, 0u);
    }
    if FOLD == FOLD_AND {
        return Acc(0xffffffffu, 0xffffffffu);
    }
    return Acc(0u, 0u);
}

@if(two_words) fn op_combine(a: Acc, b: Acc) -> Acc {
    if FOLD == FOLD_SUM {
        let low = a.x + b.x;
        return Acc(low, a.y + b.y + select(0u, 1u, low < a.x));
    }
    if FOLD == FOLD_PRODUCT {
        // Higher bits are dropped.
        return Acc(a.x * b.x, high_word_of_product(a.x, b.x) + a.x * b.y + a.y * b.x);
    }
    if FOLD == FOLD_AND {
        return a & b;
    }
    if FOLD == FOLD_OR {
        return a | b;
    }
    return a ^ b;
}

@if(atomic) alias AtomicWord = u32;

// No device multiplies atomically, so products end by no atomics.
@if(atomic) fn accumulate(at: u32, total: Acc) {
    let words = op_pack(total);
    if FOLD == FOLD_SUM {
        // The invocation that makes a word wrap around carries into the next one.
        var carry = 0u;
        for (var i = 0u; i < ACC_WORDS; i++) {
            let addend = words[i] + carry;
            let before = atomicAdd(&accumulator[at + i], addend);
            carry = select(0u, 1u, before + addend < before);
        }
        return;
    }
    for (var i = 0u; i < ACC_WORDS; i++) {
        if FOLD == FOLD_AND {
            atomicAnd(&accumulator[at + i], words[i]);
        } else if FOLD == FOLD_OR {
            atomicOr(&accumulator[at + i], words[i]);
        } else {
            atomicXor(&accumulator[at + i], words[i]);
        }
    }
}

@if(subgroup) fn op_subgroup(value: Acc) -> Acc {
    if FOLD == FOLD_SUM {
        return subgroupAdd(value);
    }
    if FOLD == FOLD_PRODUCT {
        return subgroupMul(value);
    }
    if FOLD == FOLD_AND {
        return subgroupAnd(value);
    }
    if FOLD == FOLD_OR {
        return subgroupOr(value);
    }
    return subgroupXor(value);
}

// How integers are folded: by exclusive or, if it is none of these.
@if(fold) override FOLD: u32 = 0u;
@if(fold) const FOLD_SUM = 0u;
@if(fold) const FOLD_PRODUCT = 1u;
@if(fold) const FOLD_AND = 2u;
@if(fold) const FOLD_OR = 3u;

// The high word of the product of two. By halves of 16 bits: no sum here is beyond 32.
@if(high_word) fn high_word_of_product(a: u32, b: u32) -> u32 {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let first = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let second = (a & 0xffffu) * (b >> 16u) + (first & 0xffffu);
    return (a >> 16u) * (b >> 16u) + (first >> 16u) + (second >> 16u);
}
