// Folds of integers of 64 bits, as two words, the low one first.

fn op_identity() -> Acc {
    if FOLD == FOLD_PRODUCT {
        return Acc(1u, 0u);
    }
    if FOLD == FOLD_AND {
        return Acc(0xffffffffu, 0xffffffffu);
    }
    return Acc(0u, 0u);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
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
